import { createHash } from 'node:crypto'
import { cellSql, curatorSql, modelWorkSql, type ReadDb, rollupSql } from '../../store'
import { union } from '../arcs'
import { distillationText } from '../distillation-text'
import { stepSentence } from '../step-sentences'
import { givesOrders } from './orders'

/** Change it when what is asked changes; what was asked before is then asked again when it comes up. */
const ASKED_VERSION = 1

const SPEECH = 30
const STEPS = 40
export const ARCS = 60
export const MEMBERS = 48
/** Characters of one part that are ever looked at: both ends of what is longer. */
const PART = 24_000

/** A piece of what is summarised, and where it comes from. */
export interface Part {
  /** What it is: `goal`, `conclusion`, `steps`, `arc`. */
  label: string
  text: string
  handles: readonly string[]
}

/** Everything one summary is made from. */
export interface Material {
  subject: string
  /** What it is, for the prompt: `conclusion`, `arc`, `session`, `day`, `project`, `cell`. */
  what: string
  /** In the order of time. */
  parts: readonly Part[]
  labels: string[]
  /** Hash of all that was read; the same basis is never paid for twice. */
  basis: string
  /** Items it stands for. */
  size: number
  /** Rungs longer than this tell nothing shorter; for an item its own length. */
  longest: number
  /** Parts that give orders to their reader and were left out. */
  hostile: number
}

/** What a subject of the queue is summarised from; null when it is gone. */
export function materialOf(db: ReadDb, subject: string): Material | null {
  if (subject.startsWith('arc_')) return arcMaterial(db, subject)
  if (subject.startsWith('cel_')) return cellMaterial(db, subject)
  const rollup = rollupSql.parseSubject(subject)
  return rollup ? rollupMaterial(db, subject, rollup) : itemMaterial(db, subject)
}

function itemMaterial(db: ReadDb, handle: string): Material | null {
  const item = curatorSql.rungSource(db, handle)
  if (!item) return null
  return made({
    subject: handle,
    what: item.kind,
    parts: [{ label: item.kind, text: item.text, handles: [handle] }],
    labels: union([item.labels]),
    size: 1,
    longest: item.text.length,
  })
}

function arcMaterial(db: ReadDb, id: string): Material | null {
  const arc = curatorSql.arc(db, id)
  if (!arc) return null
  const goal = arc.goalHandle === null ? undefined : curatorSql.rungSource(db, arc.goalHandle)
  const speech = curatorSql.arcSpeech(db, id, SPEECH).filter(({ data }) => data.todo !== true)
  const steps = curatorSql.arcSteps(db, id, STEPS)
  const done = steps.flatMap((step) => stepSentence({ ...step, text: '', tool: null }) ?? [])
  const parts: Part[] = [
    ...(goal ? [{ label: 'goal', text: goal.text, handles: [goal.handle] }] : []),
    ...(done.length > 0
      ? [{ label: 'steps', text: [...new Set(done)].join('\n'), handles: steps.map(({ handle }) => handle) }]
      : []),
    ...speech.map(({ kind, text, handle }) => ({ label: kind, text, handles: [handle] })),
  ]
  const labels = union([arc.labels, goal?.labels ?? []])
  return made({ subject: id, what: 'arc', parts, labels, size: arc.items, longest: Number.POSITIVE_INFINITY })
}

function cellMaterial(db: ReadDb, id: string): Material | null {
  const cell = cellSql.cellById(db, id)
  if (!cell) return null
  const members = cellSql.tellingMembers(db, id, MEMBERS)
  const labels = union(cellSql.labelsWithin(db, id).map((json) => JSON.parse(json) as string[]))
  return made({
    subject: id,
    what: 'cell',
    parts: [...members]
      .sort((a, b) => a.ts - b.ts || a.id - b.id)
      .map(({ kind, text, handle }) => ({ label: kind, text, handles: [handle] })),
    labels,
    size: members.length,
    longest: Number.POSITIVE_INFINITY,
  })
}

function rollupMaterial(db: ReadDb, text: string, subject: rollupSql.RollupSubject): Material | null {
  const arcs = rollupSql.arcsOfRollup(db, subject, ARCS)
  if (arcs.length === 0) return null
  const parts = arcs.flatMap(({ sentence, distillation, sources }) => {
    const told = [sentence, distillation === null ? null : distillationText(distillation)]
    const said = told.filter((one) => one !== null).join('\n')
    return said === '' ? [] : [{ label: 'arc', text: said, handles: JSON.parse(sources) as string[] }]
  })
  return made({
    subject: text,
    what: subject.kind,
    parts,
    labels: union(arcs.map(({ labels }) => JSON.parse(labels) as string[])),
    size: rollupSql.spanOfRollup(db, subject).items,
    longest: Number.POSITIVE_INFINITY,
  })
}

function made(material: Omit<Material, 'basis' | 'hostile'>): Material {
  const hash = createHash('sha256').update(`${ASKED_VERSION} ${material.what}`)
  for (const { label, text } of material.parts) hash.update(`\0${label}\0${text}`)
  const read = material.parts.map((part) => ({ ...part, text: ends(part.text.trim()) }))
  const parts = read.filter(({ text }) => text !== '' && !givesOrders(text))
  return {
    ...material,
    parts,
    basis: hash.digest('base64url').slice(0, 24),
    hostile: read.filter(({ text }) => text !== '').length - parts.length,
  }
}

/** Both ends of a text that nobody could read whole; the ending is worth more. */
function ends(text: string): string {
  if (text.length <= PART) return text
  const head = text.slice(0, PART / 3).toWellFormed()
  return `${head}\n[…]\n${text.slice(-(PART * 2) / 3).toWellFormed()}`
}

/** Whether what a model made of this subject still tells what is there. */
export function stillStands(db: ReadDb, subject: string): boolean {
  const done = modelWorkSql.done(db, subject)
  if (done?.outcome !== 'made') return false
  const methods = curatorSql.rungMethods(db, subject)
  if (methods.get('L1') !== 'model' && methods.get('L2') !== 'model') return false
  return materialOf(db, subject)?.basis === done.basis
}
