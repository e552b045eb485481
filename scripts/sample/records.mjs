// Records as the agents write them: enough of each for a reader to recognise, nothing that was not invented.
import { createHash } from 'node:crypto'

const REFUSED =
  "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the " +
  'new_string was NOT written to the file). To tell you how to proceed, the user said:\n'

/** A stable id: the same sample is written each time. */
function uuid(seed) {
  const hex = createHash('sha256').update(seed).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/**
 * One Claude Code session, built step by step; each step takes two minutes unless it says otherwise.
 * @param {{ name: string, project: string, start: string }} of `start` is a UTC time
 */
export function claudeSession({ name, project, start }) {
  const session = uuid(name)
  const lines = []
  let at = Date.parse(start)
  let parent = null
  let tools = 0

  const record = (type, message, extra = {}) => {
    const id = uuid(`${name} ${lines.length}`)
    lines.push(
      JSON.stringify({
        type,
        uuid: id,
        parentUuid: parent,
        sessionId: session,
        cwd: `/srv/${project}`,
        gitBranch: 'main',
        version: '2.1.100',
        isSidechain: false,
        userType: 'external',
        timestamp: new Date(at).toISOString(),
        message,
        ...extra,
      }),
    )
    parent = id
    at += 120_000
  }
  const assistant = (block) =>
    record('assistant', {
      id: `msg_${uuid(`${name} m${lines.length}`).slice(0, 12)}`,
      role: 'assistant',
      model: 'claude-opus-4-5',
      content: [block],
    })
  const tool = (kind, input) => {
    const id = `toolu_${uuid(`${name} t${tools}`).slice(0, 16)}`
    tools += 1
    assistant({ type: 'tool_use', id, name: kind, input })
    return id
  }
  const result = (id, content, extra = {}, failed = false) =>
    record(
      'user',
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: id, content, ...(failed ? { is_error: true } : {}) }],
      },
      extra,
    )

  const steps = {
    /** The person writes. */
    asks: (text) => record('user', { role: 'user', content: text }),
    /** The agent writes. */
    says: (text) => assistant({ type: 'text', text }),
    wait: (minutes) => {
      at += minutes * 60_000
    },
    runs: (command, output, failed = false) => {
      const id = tool('Bash', { command, description: '' })
      const toolUseResult = { stdout: failed ? '' : output, stderr: failed ? output : '', interrupted: false }
      result(id, output, { toolUseResult }, failed)
    },
    reads: (path) => {
      const id = tool('Read', { file_path: `/srv/${project}/${path}` })
      result(id, 'file content', {
        toolUseResult: { type: 'text', file: { filePath: `/srv/${project}/${path}` } },
      })
    },
    edits: (path, before, after) => {
      const file = `/srv/${project}/${path}`
      const id = tool('Edit', { file_path: file, old_string: before, new_string: after })
      result(id, `The file ${file} has been updated.`, {
        toolUseResult: { filePath: file, structuredPatch: [] },
      })
    },
    plans: (plan) => {
      const id = tool('ExitPlanMode', { plan })
      return {
        approved: () =>
          result(id, `User has approved your plan. You can now start coding.\n\n## Approved Plan:\n${plan}`, {
            toolUseResult: { plan, isAgent: false },
          }),
        sentBack: (words) => result(id, REFUSED + words, { toolUseResult: 'User rejected tool use' }, true),
      }
    },
    file: () => ({
      path: `claude-code/-srv-${project}/${session}.jsonl`,
      text: `${lines.join('\n')}\n`,
    }),
  }
  return steps
}

/** A session of any other agent, in the generic format. */
export function genericSession({ name, project, start, goal, turns }) {
  const at = Date.parse(start)
  const lines = turns.map(([role, text], index) =>
    JSON.stringify({
      id: `${name}-${index + 1}`,
      session: name,
      ts: new Date(at + index * 180_000).toISOString(),
      role,
      text,
      ...(goal ? { goal } : {}),
      project,
    }),
  )
  return { path: `generic/${name}.jsonl`, text: `${lines.join('\n')}\n` }
}
