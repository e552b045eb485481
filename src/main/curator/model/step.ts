import type { z } from 'zod'
import { startOfDay } from '../../../shared/days'
import type { ModelSettings } from '../../../shared/models'
import type { LanguageModel } from '../../models'
import { curatorSql, modelCallSql, modelWorkSql, rollupSql, type WriteDb } from '../../store'
import { ANSWER_EACH, Summaries } from './answer'
import { keepCallTrace } from './call-trace'
import { failed, keep, resting, TRIES } from './failure'
import { holdLease } from './lease'
import { type Material, materialOf } from './material'
import { offerEarlier, withdrawOffers } from './offers'
import { type Mask, type Prompt, promptFor } from './prompt.bids'
import { hindrance, rememberRest, rest, type Step, type Surroundings } from './rest'
import { modelSettings } from './settings'
import { type Shown, writeSummary } from './write-summary'

// One step of the work with a language model: offer, take, ask, keep. Between two steps everything stands in the
// database, so a process that is ended at any moment loses at most the answer that was on its way.

/** Subjects in one call, and how many are looked at to find that many. */
const BATCH = 8
/** Characters below which there is nothing to summarise. */
const THIN = 200

export interface ModelPorts extends Surroundings {
  model: (settings: ModelSettings) => LanguageModel
  clock: () => number
  mask: Mask
  signal?: AbortSignal
}

export async function modelStep(db: WriteDb, ports: ModelPorts): Promise<Step> {
  const step = await go(db, ports)
  // A call that ended with its process says nothing of the server.
  if (!ports.signal?.aborted) rememberRest(db, step)
  return step
}

async function go(db: WriteDb, ports: ModelPorts): Promise<Step> {
  const settings = modelSettings(db)
  if (settings.curator === null) withdrawOffers(db)
  const hindered = hindrance(settings, ports)
  if (hindered) return hindered
  const now = ports.clock()
  if (!holdLease(db, ports.owner, now))
    return rest('elsewhere', 'Another process of Fovea is doing it.', now + 60_000)
  if (offerEarlier(db)) return { did: 'offered' }
  const waiting = modelWorkSql.nextWaiting(db, now, BATCH)
  if (waiting.length === 0) return rest('idle', null, modelWorkSql.readyNext(db))
  const { materials, settled } = gather(db, waiting, settings.curator ?? '', now)
  if (materials.length === 0) return { did: settled > 0 ? 'settled' : 'offered' }
  return ask(db, ports, settings, materials)
}

/** Reads what waits; what needs no call leaves the queue here. */
function gather(
  db: WriteDb,
  waiting: readonly modelWorkSql.Waiting[],
  model: string,
  now: number,
): { materials: Material[]; settled: number } {
  const materials: Material[] = []
  let settled = 0
  db.transaction(() => {
    for (const { subject, tries, tier } of waiting) {
      const worth = tier !== modelWorkSql.TIER.item || modelWorkSql.itemIsWorth(db, subject)
      const material = worth ? materialOf(db, subject) : null
      const verdict = material === null ? 'gone' : verdictOn(db, material, { model, tries })
      if (material !== null && verdict === null) {
        materials.push(material)
        continue
      }
      settled += 1
      modelWorkSql.drop(db, subject, null)
      if (material === null || verdict === 'known' || verdict === null) continue
      const { basis, size } = material
      modelWorkSql.putDone(db, subject, {
        basis,
        size,
        model,
        outcome: 'kept',
        reason: verdict,
        callId: null,
        at: now,
      })
    }
  })
  return { materials, settled }
}

/** Why a subject is not asked about, or null. `known`: it was, with the same text. */
function verdictOn(db: WriteDb, material: Material, asked: { model: string; tries: number }): string | null {
  const { subject, parts, basis, hostile } = material
  const done = modelWorkSql.done(db, subject)
  if (done?.basis === basis) {
    const stands = [...curatorSql.rungMethods(db, subject).values()].includes('model')
    if (done.outcome === 'made' ? stands : done.model === asked.model) return 'known'
  }
  const chars = parts.reduce((sum, { text }) => sum + text.length, 0)
  if (chars < THIN) return hostile > 0 ? 'orders' : 'thin'
  return asked.tries >= TRIES ? 'gave-up' : null
}

async function ask(
  db: WriteDb,
  ports: ModelPorts,
  settings: ModelSettings,
  all: readonly Material[],
): Promise<Step> {
  const name = settings.curator ?? ''
  const model = ports.model(settings)
  const now = ports.clock()
  let made: Made | null
  try {
    made = await fitted(model, name, all, { ports, now, left: left(db, settings, now) })
  } catch (error) {
    return resting(error)
  }
  if (made === 'budget') return rest('budget', "The day's budget of tokens is spent.", startOfDay(now, 1))
  if (made === null) {
    const [first] = all
    if (first) keep(db, first, { model: name, reason: 'too-long', callId: null, now })
    return { did: 'settled' }
  }
  const { materials, prompt, answerTokens, budget } = made
  const promptTokens = made.promptTokens
  const callId = db.transaction(() => {
    const id = modelCallSql.beginCall(db, {
      purpose: 'summaries',
      model: name,
      subjects: materials.length,
      startedAt: now,
      promptTokens,
      answerTokens,
    })
    keepCallTrace(db, id, { trace: prompt.trace, materials, at: now })
    modelWorkSql.take(
      db,
      materials.map(({ subject }) => subject),
      id,
    )
    return id
  })
  try {
    const { value, usage } = await model.ask({
      model: name,
      prompt: prompt.text,
      schema: Summaries,
      answerTokens,
      budget,
      ...signalOf(ports),
    })
    db.transaction(() => {
      const endedAt = ports.clock()
      modelCallSql.endCall(db, callId, { ...usage, endedAt, outcome: 'answered', reason: null })
      settle(db, { materials, prompt, callId, model: name, now: endedAt, mask: ports.mask }, value)
    })
    return { did: 'asked' }
  } catch (error) {
    return failed(db, error, { callId, materials, model: name, now: ports.clock() })
  }
}

const signalOf = ({ signal }: ModelPorts): { signal?: AbortSignal } => (signal ? { signal } : {})

/** Tokens that may still be spent today. */
function left(db: WriteDb, settings: ModelSettings, now: number): number {
  const { promptTokens, answerTokens } = modelCallSql.spentSince(db, startOfDay(now))
  return settings.dailyTokens - promptTokens - answerTokens
}

type Made =
  | {
      materials: readonly Material[]
      prompt: Prompt
      answerTokens: number
      promptTokens: number
      /** What both tries may take. */
      budget: number
    }
  | 'budget'

/** What the client adds around a prompt, at most: its instruction and the schema. */
const AROUND = 500

/** As many subjects as fit the window in full, at least one in whatever version; `budget` when the day has no room. */
async function fitted(
  model: LanguageModel,
  name: string,
  all: readonly Material[],
  { ports, now, left }: { ports: ModelPorts; now: number; left: number },
): Promise<Made | null> {
  const count = (text: string): number => model.tokens(name, text)
  for (let n = all.length; n >= 1; n = Math.floor(n / 2)) {
    const materials = all.slice(0, n)
    const answerTokens = ANSWER_EACH * n
    const room = await model.room({ model: name, schema: Summaries, answerTokens, ...signalOf(ports) })
    // Several only where none has to be shortened for the others: half of the window for what they say in full.
    const full = materials.reduce((sum, { parts }) => sum + Math.min(12_000, chars(parts)) / 3, 0)
    if (n > 1 && full > room) continue
    const prompt = promptFor(materials, { budget: room, count, mask: ports.mask, now })
    if (prompt === null) continue
    const promptTokens = count(prompt.text) + AROUND
    if (promptTokens + answerTokens <= left)
      return { materials, prompt, answerTokens, promptTokens, budget: left }
    if (n === 1) return 'budget'
  }
  return null
}

const chars = (parts: Material['parts']): number => parts.reduce((sum, { text }) => sum + text.length, 0)

interface Asked {
  materials: readonly Material[]
  prompt: Prompt
  callId: number
  model: string
  now: number
  mask: Mask
}

/** Keeps what is sound; a subject the answer left out, or said nothing sound about, is asked about alone. */
function settle(db: WriteDb, asked: Asked, { summaries }: z.infer<typeof Summaries>): void {
  const { materials, prompt, callId, model, now } = asked
  materials.forEach((material, i) => {
    const { subject, basis, size, what } = material
    // What it was read from may have changed while the model was writing.
    if (materialOf(db, subject)?.basis !== basis) {
      modelWorkSql.drop(db, subject, callId)
      return
    }
    const source = prompt.sources[i]
    const shown: Shown = { material, text: source?.text ?? '', handles: source?.handles ?? [] }
    const summary = summaries.find(({ text }) => text === i + 1)
    const { made, reason } = summary
      ? writeSummary(db, shown, summary, asked)
      : { made: 0, reason: 'left-out' }
    if (made === 0 && materials.length > 1) {
      modelWorkSql.tryAgain(db, subject)
      return
    }
    const outcome = made > 0 ? 'made' : 'kept'
    modelWorkSql.putDone(db, subject, { basis, size, model, outcome, reason, callId, at: now })
    modelWorkSql.drop(db, subject, callId)
    // What is made from an arc's sentences follows.
    if (made > 0 && what === 'arc') rollupSql.enqueueRollups(db, subject)
  })
}
