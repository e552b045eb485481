import { onTestFinished } from 'vitest'
import { curate, type ModelPorts, modelStep, tendNeighbourhoods, updateArcs } from '../../../src/main/curator'
import { makeRedactor } from '../../../src/main/journal'
import { type OllamaOptions, ollamaModel } from '../../../src/main/models'
import { settingsSql, type WriteDb } from '../../../src/main/store'
import type { ModelSettingsChange } from '../../../src/shared/models'
import { ModelSettings } from '../../../src/shared/models'
import { type DoubleOptions, type OllamaDouble, ollamaDouble } from '../../doubles/ollama'
import { faithful, say } from '../../doubles/summariser'
import { temporaryDb } from '../../support'
import { insertItem } from '../models/journal-rows'

/** Noon on this machine, so that no test runs over midnight. */
export const NOON = new Date(2026, 10, 26, 12).getTime()

export const good: DoubleOptions['answer'] = (request) => ({ say: say(faithful(request)) })

export interface Scene {
  db: WriteDb
  server: OllamaDouble
  ports: ModelPorts
  now: { at: number }
  choose(change: ModelSettingsChange): void
  /** Steps until nothing can be done now; what it rests for. */
  work(most?: number): Promise<Extract<Awaited<ReturnType<typeof modelStep>>, { resting: string }>>
}

export function choose(db: WriteDb, change: ModelSettingsChange): void {
  const stored = JSON.parse(settingsSql.readMeta(db, 'settings') ?? '{}') as { models?: object }
  const models = ModelSettings.parse({ ...stored.models, ...change })
  settingsSql.writeMeta(db, 'settings', JSON.stringify({ ...stored, models }))
}

/** A memory, a server that answers, and a chosen model. */
export async function scene(
  answer: DoubleOptions['answer'] = good,
  more: Partial<DoubleOptions> & { client?: OllamaOptions; db?: WriteDb } = {},
): Promise<Scene> {
  const server = await ollamaDouble({ answer, ...more })
  onTestFinished(() => server.close())
  const db = more.db ?? temporaryDb()
  const now = { at: NOON }
  const redact = makeRedactor('salt')
  const model = ollamaModel({ host: server.host, ...more.client })
  const ports: ModelPorts = {
    model: () => model,
    clock: () => now.at,
    mask: (text) => redact(text).text,
    onBattery: () => null,
    gateOpen: () => false,
    owner: `test:${Math.random()}`,
  }
  choose(db, { curator: 'local:1b' })
  return {
    db,
    server,
    ports,
    now,
    choose: (change) => choose(db, change),
    work: async (most = 500) => {
      for (let n = 0; n < most; n++) {
        const step = await modelStep(db, ports)
        if ('resting' in step) return step
      }
      throw new Error('it never rests')
    },
  }
}

/** The extractive work, to its end. */
export function curateAll(db: WriteDb, now = NOON): void {
  while (curate(db, { now }) > 0 || tendNeighbourhoods(db, { now, version: 1 }) > 0);
}

let nth = 0

/** A conclusion that is worth a summary, about a subject of its own. */
export function conclusion(
  db: WriteDb,
  subject: string,
  more: Partial<Parameters<typeof insertItem>[1]> = {},
): string {
  nth += 1
  const text = [
    `The ${subject} timed out because its pool was never closed.`,
    `We decided to close the ${subject} pool in src/${subject}/pool.ts rather than to enlarge it.`,
    `I fixed src/${subject}/pool.ts and added a test for the ${subject} pool; all of the checks pass.`,
    `The numbers before and after the change of the ${subject} were compared over several runs on the same machine.`,
    `Nothing else in the ${subject} had to change, and the old behaviour is kept for callers that hold a handle.`,
    `Should the ${subject} limit become a setting?`,
  ].join(' ')
  return insertItem(db, { kind: 'conclusion', text, ts: NOON - 86_400_000 + nth, ...more }).handle
}

export const rungsOf = (
  db: WriteDb,
  subject: string,
): {
  level: string
  text: string
  method: string
  model: string | null
  provenance: string
  labels: string
}[] =>
  db.all(
    'SELECT level, text, method, model, provenance, labels FROM rungs WHERE subject = ? ORDER BY level',
    [subject],
  )

export { updateArcs }
