import { curatorSql, type ReadDb } from '../store'
import { union } from './arcs'
import type { Said } from './distil'
import { keySentence, keyStatement, speakerOf } from './extract'
import { distillation, join, type RungDraft, topEntities } from './item-rungs'
import { pathTail, withinProject } from './short-path'
import { stepSentence } from './step-sentences'

/** Items of an arc that are read for its rungs, however long it is. */
const SPEECH = 30
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
  const first = summary(speech, goal?.text ?? '', steps.length > 0)
  if (first) drafts.push({ ...first, labels })
  else if (steps.length > 0) {
    drafts.push({ level: 'L1', text: work(arc, steps), method: 'rules', provenance: handles(steps), labels })
  } else if (goal) {
    const text = keySentence(goal.text, 'goal')
    if (text) drafts.push({ level: 'L1', text, method: 'extractive', provenance: [goal.handle], labels })
  }
  const voices = [...(goal ? [goal] : []), ...speech]
  const distilled = distillation(voices.flatMap(saidBy), voices[0]?.cwd ?? null)
  if (distilled) {
    drafts.push({ level: 'L2', text: distilled, method: 'extractive', provenance: handles(voices), labels })
  }
  const files = paths(steps)
  const said = speech.map((item) => item.text).join('\n')
  const named = files.length > 0 ? files : topEntities(said, 4, speech[0]?.cwd ?? null)
  const line = join(`${count(arc.items, 'item')}:`, named.slice(0, 4))
  drafts.push({
    level: 'L3',
    text: line,
    method: 'rules',
    provenance: handles(files.length > 0 ? steps : speech),
    labels,
  })
  return drafts
}

/** What an item adds to a distillation: a to-do list tells nothing that its steps do not. */
function saidBy({ kind, text, data }: curatorSql.RungSource): Said[] {
  return data.todo === true ? [] : [{ text, speaker: speakerOf(kind, data) }]
}

/** The sentence of the last conclusion that tells something, else of the last decision, plan or note. */
function summary(
  speech: readonly curatorSql.RungSource[],
  goal: string,
  hasSteps: boolean,
): Omit<ArcRungDraft, 'labels'> | null {
  let terse: Omit<ArcRungDraft, 'labels'> | null = null
  for (const kind of ['conclusion', 'decision', 'plan', 'note'] as const) {
    for (const item of speech.filter((one) => one.kind === kind && one.data.todo !== true).reverse()) {
      const rule = kind === 'decision' ? stepSentence(item) : null
      const key = rule === null ? keyStatement(item.text, kind, goal) : { text: rule, telling: true }
      if (key === null) continue
      const draft: Omit<ArcRungDraft, 'labels'> = {
        level: 'L1',
        text: key.text,
        method: rule ? 'rules' : 'extractive',
        provenance: [item.handle],
      }
      if (key.telling && !key.text.endsWith('?')) return draft
      terse ??= draft
    }
  }
  return hasSteps ? null : terse
}

type Steps = ReturnType<typeof curatorSql.arcSteps>

/** "Edited 3 files (src/a.ts, src/b.ts, …), ran 5 commands, 1 failed." */
function work(arc: curatorSql.ArcRow, steps: Steps): string {
  const changed = [...new Set(steps.filter(changes).map(pathOf))]
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

type Step = Steps[number]
const changes = ({ data }: Step): boolean => data.op === 'edit' || data.op === 'write'
const pathOf = ({ data, cwd }: Step): string => pathTail(withinProject(String(data.path ?? ''), cwd), 80)

/** Files that were read or changed, those touched most first; a change counts twice. */
function paths(steps: Steps): string[] {
  const counts = new Map<string, number>()
  for (const step of steps) {
    if (step.data.op === 'search' || typeof step.data.path !== 'string' || step.data.path === '') continue
    counts.set(pathOf(step), (counts.get(pathOf(step)) ?? 0) + (changes(step) ? 2 : 1))
  }
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([path]) => path)
}

const handles = (items: readonly { handle: string }[]): string[] => items.map((item) => item.handle)
const count = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? '' : 's'}`
