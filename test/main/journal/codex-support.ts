// What the tests of Codex rollouts share.
import { join } from 'node:path'
import { expect } from 'vitest'
import { itemData } from '../../../src/main/journal'
import { temporaryFolder } from '../../support'
import { type Rollout, rollout } from './rollouts'
import { brokenInvariants, ingest, items, type Json, jsonl, type Kept, openJournal, put } from './transcripts'

export const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAADCAIAAAA2iEnWAAAAFElEQVR4nGP8z8DAwMDAxMDAwMDAAAANHQEDasKb6QAAAABJRU5ErkJggg=='
export const ID = 'call_0123456789abcdefgh'

export async function read(s: Rollout | readonly Json[], name?: string) {
  const { db, journal } = openJournal()
  const lines = 'lines' in s ? s.lines : s
  const path = put(join(temporaryFolder(), name ?? 'rollout.jsonl'), jsonl(lines))
  const report = await ingest(journal, path, { perFile: true })
  expect(brokenInvariants(db)).toEqual([])
  expect(report.perFile?.[0]?.format).toBe('codex')
  const all = items(db)
  for (const item of all) itemData[item.kind as keyof typeof itemData].parse(item.data)
  return { all, report, db, dropped: report.records.dropped }
}
export const kinds = (all: readonly Kept[]): string[] => all.map((item) => item.kind)
export const ofKind = (all: readonly Kept[], kind: string): Kept[] => all.filter((item) => item.kind === kind)

export function begin(options: Parameters<typeof rollout>[1] = {}): Rollout {
  const s = rollout(1, options)
  s.meta()
  return s
}
