import { curatorSql, type ReadDb } from '../store'
import { union } from './arcs'
import { keySentence } from './extract'
import { distillation, join, type RungDraft } from './item-rungs'
import { stepSentence } from './step-sentences'

/** Items of an arc that are read for its rungs, however long it is. */
const SPEECH = 12
const STEPS = 60

export type ArcRungDraft = RungDraft & { provenance: string[]; labels: string[] }

/** The rungs of an arc, from its last words and its last steps. */
export function arcRungs(db: ReadDb, arc: curatorSql.ArcRow): ArcRungDraft[] {
  const goal = arc.goalHandle === null ? undefined : curatorSql.rungSource(db, arc.goalHandle)
  const speech = curatorSql.arcSpeech(db, arc.id, SPEECH)
  const steps = curatorSql.arcSteps(db, arc.id, STEPS)
  // The arc's labels are the union of all its items'; what is quoted from the goal adds the goal's.
  const labels = union([arc.labels, goal?.labels ?? []])
  const drafts: ArcRungDraft[] = []
  const first = summary(speech, goal?.text ?? '')
  if (first) drafts.push({ ...first, labels })
  else if (steps.length > 0) {
    drafts.push({ level: 'L1', text: work(arc, steps), method: 'rules', provenance: handles(steps), labels })
  } else if (goal) {
    const text = keySentence(goal.text, 'goal')
    if (text) drafts.push({ level: 'L1', text, method: 'extractive', provenance: [goal.handle], labels })
  }
  const said = speech.map((item) => item.text)
  const distilled = said.length > 0 ? distillation(said) : null
  if (distilled) {
    drafts.push({ level: 'L2', text: distilled, method: 'extractive', provenance: handles(speech), labels })
  }
  const line = join(`${count(arc.items, 'item')}:`, paths(steps).slice(0, 4))
  drafts.push({ level: 'L3', text: line, method: 'rules', provenance: handles(steps), labels })
  return drafts
}

/** The sentence of the last conclusion, else of the last decision, plan or note. */
function summary(
  speech: readonly curatorSql.RungSource[],
  goal: string,
): Omit<ArcRungDraft, 'labels'> | null {
  for (const kind of ['conclusion', 'decision', 'plan', 'note'] as const) {
    const last = speech.findLast((item) => item.kind === kind)
    if (!last) continue
    const rule = kind === 'decision' ? stepSentence(last) : null
    const text = rule ?? keySentence(last.text, kind, goal)
    if (text) return { level: 'L1', text, method: rule ? 'rules' : 'extractive', provenance: [last.handle] }
  }
  return null
}

type Steps = ReturnType<typeof curatorSql.arcSteps>

/** "Edited 3 files (src/a.ts, src/b.ts, …), ran 5 commands, 1 failed." */
function work(arc: curatorSql.ArcRow, steps: Steps): string {
  const changed = [
    ...new Set(
      steps.filter((s) => s.data.op === 'edit' || s.data.op === 'write').map((s) => String(s.data.path)),
    ),
  ]
  const failed = steps.filter((step) => step.kind === 'error' || step.data.failed === true).length
  const files = changed.slice(0, 3).join(', ') + (changed.length > 3 ? ', …' : '')
  const parts = [
    changed.length > 0 ? `edited ${count(changed.length, 'file')} (${files})` : '',
    changed.length === 0 && arc.byKind.file_op ? `looked at ${count(arc.byKind.file_op, 'file')}` : '',
    arc.byKind.command ? `ran ${count(arc.byKind.command, 'command')}` : '',
    failed > 0 ? `${failed} failed` : '',
  ].filter(Boolean)
  const text = parts.join(', ') || count(arc.items, 'item')
  return `${text[0]?.toUpperCase()}${text.slice(1)}.`
}

/** Files of the steps, those touched most first. */
function paths(steps: Steps): string[] {
  const counts = new Map<string, number>()
  for (const { data } of steps) {
    if (typeof data.path !== 'string' || data.path === '') continue
    counts.set(data.path, (counts.get(data.path) ?? 0) + (data.op === 'edit' || data.op === 'write' ? 2 : 1))
  }
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([path]) => path)
}

const handles = (items: readonly { handle: string }[]): string[] => items.map((item) => item.handle)
const count = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? '' : 's'}`
