import { asString, isObject } from '../../text'
import { timestampOf } from '../claude-code/record'
import type { Json } from './calls'
import { folderOf } from './uri'

/** What Cursor's database says of a conversation as a whole. */
export interface ComposerHeader {
  id: string
  title: unknown
  cwd: string | null
  parent: string | null
  createdAt: number | null
  branch: string | null
}

export function headerOf(id: string, value: Json): ComposerHeader {
  const workspace = isObject(value.workspaceIdentifier) ? value.workspaceIdentifier : {}
  const agent = isObject(value.subagentInfo) ? value.subagentInfo : {}
  return {
    id,
    title: value.name,
    cwd: folderOf(workspace.uri),
    parent: asString(agent.parentComposerId) ?? asString(value.parentComposerId),
    createdAt: timestampOf(value.createdAt),
    branch: asString(value.createdOnBranch),
  }
}
