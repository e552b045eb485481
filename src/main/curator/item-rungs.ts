import type { ItemKind } from '../../shared/domain'
import { clip } from './clip'
import { contentWords } from './cues'
import { type Distillation, distil, type Said } from './distil'
import { extractEntities } from './entities'
import { keySentence, speakerOf } from './extract'
import { pathTail, withinProject } from './short-path'
import { type Step, stepSentence } from './step-sentences'

export interface RungDraft {
  level: 'L1' | 'L2' | 'L3'
  text: string
  method: 'verbatim' | 'rules' | 'extractive'
}

export type RungItem = Step & { kind: ItemKind }

const SKELETON = 110
/** A text this short, in one line, is its own sentence. */
const SHORT = 120
/** Nothing but what is done next; the step that follows tells it. */
const CHATTER =
  /^(?:(?:now|next|first|good|great|perfect|excellent|ok|okay|right|alright|all green|all good)[,.!:]? )?(?:let me|let's)\b[^.!?`/]*[.:!…]?$/i
/** Above it a request or a note holds more than one sentence can tell. */
const LONG = 600

/**
 * The rungs of one item, none longer than the item itself: L3 always when there is any text or data, L1 where it
 * says something, L2 where there is more to tell than a sentence holds and it is shorter than the item.
 * @param goal the text of the item's goal, for choosing the sentence that answers it
 */
export function itemRungs(item: RungItem, goal: string): RungDraft[] {
  const flat = item.text.replace(/\s+/g, ' ').trim()
  const drafts: RungDraft[] = []
  const sentence = l1(item, flat, goal)
  if (sentence) drafts.push(sentence)
  if (worthDistilling(item.kind, flat)) {
    const distilled = distillation([{ text: item.text, speaker: speakerOf(item.kind, item.data) }], item.cwd)
    if (distilled !== null && distilled.length < flat.length * 0.8)
      drafts.push({ level: 'L2', text: distilled, method: 'extractive' })
  }
  const line = l3(item, sentence?.text ?? flat)
  if (line !== '') drafts.push({ level: 'L3', text: line, method: 'rules' })
  return drafts
}

/** Plans and conclusions always, other speech when it is long; what is short is told by its sentence. */
function worthDistilling(kind: ItemKind, flat: string): boolean {
  if (kind === 'plan' || kind === 'conclusion') return true
  return (kind === 'goal' || kind === 'note' || kind === 'decision') && flat.length > LONG
}

function l1(item: RungItem, flat: string, goal: string): RungDraft | null {
  const rule = stepSentence(item)
  if (rule !== null) return shorter({ level: 'L1', text: rule, method: 'rules' }, flat)
  if (flat === '') return null
  const verbatim: RungDraft = { level: 'L1', text: flat, method: 'verbatim' }
  if (flat.length <= SHORT && !item.text.trim().includes('\n'))
    return item.kind === 'note' && CHATTER.test(flat) ? null : verbatim
  const key = keySentence(item.text, item.kind, goal)
  if (key !== null) return shorter({ level: 'L1', text: key, method: 'extractive' }, flat)
  // Nothing but code or a table: its first words.
  return shorter({ level: 'L1', text: clip(flat, 160), method: 'extractive' }, flat)
}

/** The item's own text where the sentence would be longer; a sentence from data stands where there is no text. */
function shorter(draft: RungDraft, flat: string): RungDraft {
  return flat === '' || draft.text.length <= flat.length
    ? draft
    : { level: 'L1', text: flat, method: 'verbatim' }
}

/** What stands where a secret was: neither a topic nor a name. */
const MARKS = /\[secret:[a-z0-9-]{1,40}:[0-9a-f]{4}\]/g

/** The skeleton: the kind, then what the item names, or else the words it is about; one line. */
function l3(item: RungItem, longest: string): string {
  const named = names(item)
  const about =
    named.length > 0 ? named : [...new Set(contentWords(item.text.replace(MARKS, ' '), 200))].slice(0, 5)
  const failed = item.kind === 'error' || item.data.failed === true ? ['failed'] : []
  const head = `${item.kind.replace('_op', '')}:`
  const line = join(head, [...failed, ...about], longest.length)
  return line.startsWith(`${head} `) ? line : clip(longest, SKELETON)
}

function names(item: RungItem): string[] {
  const { path, command } = item.data
  if (typeof path === 'string' && path !== '' && item.data.op !== 'search')
    return [pathTail(withinProject(path, item.cwd), 90)]
  if (item.data.op === 'search') return [clip(item.text.split('\n')[0] ?? '', 80)]
  if (typeof command === 'string' && command.trim() !== '') return [clip(command, 60)]
  return topEntities(item.text, 6, item.cwd)
}

/** Entities a reader would look for first. */
const ORDER = ['path', 'issue', 'error', 'command', 'package', 'symbol', 'url', 'version']

export function topEntities(text: string, most: number, cwd: string | null): string[] {
  return extractEntities(text.replace(MARKS, ' '))
    .filter(({ value }) => value !== cwd)
    .map((entity, index) => ({ entity, index }))
    .sort((a, b) => ORDER.indexOf(a.entity.type) - ORDER.indexOf(b.entity.type) || a.index - b.index)
    .slice(0, most)
    .map(({ entity: { type, value } }) =>
      type === 'path' ? pathTail(withinProject(value, cwd), 80) : clip(value, 60),
    )
}

/** As many of the parts as fit in a skeleton line of `length`; the head alone, without its colon, when none does. */
export function join(head: string, parts: readonly string[], length = SKELETON): string {
  let line = head
  for (const part of parts) {
    const next = line === head ? `${line} ${part}` : `${line}, ${part}`
    if (next.length > Math.min(length, SKELETON)) break
    line = next
  }
  return line === head ? head.replace(/:$/, '') : line
}

/** L2 as canonical JSON, or null when no sentence decides, binds, reports or asks anything. */
export function distillation(said: readonly Said[], cwd: string | null): string | null {
  const lists = distil(said)
  if (Object.values(lists).every((list) => list.length === 0)) return null
  const full: Distillation = {
    entities: topEntities(said.map(({ text }) => text).join('\n'), 12, cwd),
    ...lists,
  }
  return JSON.stringify(full)
}
