// How well "this turn sets a new goal" is told, on turns labelled by hand (bench/labels/goals.json; the rule stands in
// it): the transcripts are read into a journal of their own, and a labelled record counts as a new goal when the
// journal holds a goal made of it. A set that was held out says what was found
// when it was measured first; every one is tuned on by now.
// Baseline in the same run: every user turn that is not a tool's result sets a goal.
// npm run bench -- goals --data PATH   (PATH, or a transcripts/ in it, holds claude-code/ and, if there, the others)
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { createEngine } from '../out/main/library.js'
import { machine } from './lib/report.mjs'

const { values } = parseArgs({ options: { data: { type: 'string' } } })
if (!values.data) throw new Error('Say where the labelled transcripts are: --data PATH')
const given = resolve(values.data)
const data = existsSync(join(given, 'transcripts')) ? join(given, 'transcripts') : given
const FOLDERS = ['claude-code', 'codex', 'specstory', 'gemini-cli', 'aider']
const home = mkdtempSync(join(tmpdir(), 'fovea-goals-'))

try {
  const goals = await goalsOf(FOLDERS.map((name) => join(data, name)))
  const sets = [
    { name: 'tuned on: Claude Code', folder: 'claude-code', labels: 'goals.json' },
    { name: 'tuned on: Codex', folder: 'codex', labels: 'goals-codex.json' },
    { name: 'tuned on: SpecStory, Gemini CLI, Aider', folder: '', labels: 'goals-documents.json' },
  ]
  const results = sets.map((set) => judge(set, goals))
  console.log(
    JSON.stringify({
      bench: 'goals',
      ...machine(),
      unit: 'precision and recall of "this turn sets a new goal", over turns labelled by hand',
      sets: results,
    }),
  )
} finally {
  rmSync(home, { recursive: true, force: true })
}

/** Goals of the journal by the file and line of their record, and by record id, which outlives copies. */
async function goalsOf(folders) {
  const engine = createEngine({ home, resources: resolve('resources'), watch: false, version: 'bench' })
  try {
    const paths = folders.filter((folder) => existsSync(folder))
    await engine.call('ingest.run', { paths, embed: false })
    const out = join(home, 'journal.jsonl')
    await engine.call('journal.dump', { out })
    const items = readFileSync(out, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    const goals = items.filter((item) => item.kind === 'goal')
    return {
      ids: new Set(goals.map((item) => item.pointer.recordId).filter((id) => id !== null)),
      lines: new Set(goals.map((item) => `${basename(item.pointer.file)}:${item.pointer.line}`)),
      texts: new Set(goals.map((item) => `${basename(item.pointer.file)}:${item.text.trim().slice(0, 80)}`)),
      files: new Set(items.map((item) => basename(item.pointer.file))),
    }
  } finally {
    await engine.close()
  }
}

function judge({ name, folder, labels }, goals) {
  const { turns, first } = JSON.parse(readFileSync(`bench/labels/${labels}`, 'utf8'))
  const files = new Map()
  const linesOf = (file) => {
    const path = join(data, folder, file)
    if (!files.has(file)) files.set(file, existsSync(path) ? readFileSync(path, 'utf8').split('\n') : null)
    return files.get(file)
  }
  const judged = []
  for (const turn of turns) {
    const line = linesOf(turn.file)?.[turn.line - 1]
    const file = basename(turn.file)
    if (line === undefined || !goals.files.has(file)) continue
    const record = file.endsWith('.jsonl') ? JSON.parse(line) : {}
    judged.push({ ...turn, said: isGoal({ ...turn, file }, record, goals) })
  }
  if (judged.length === 0)
    return { name, turns: 0, why: `no transcripts in ${folder}/ that Fovea could read` }
  return {
    name,
    turns: judged.length,
    goals: judged.filter((turn) => turn.goal).length,
    ...score(judged),
    ...(first ? { first } : {}),
    baseline: { what: 'every turn sets a goal', ...score(judged.map((turn) => ({ ...turn, said: true }))) },
    wrong: judged
      .filter((turn) => turn.said !== turn.goal)
      .map(({ file, line, goal, why }) => ({ file, line, goal, why })),
  }
}

/** A format may make its item of a twin record beside the labelled one; then the words tell. */
function isGoal({ file, line }, record, { ids, lines, texts }) {
  if (typeof record.uuid === 'string') return ids.has(record.uuid)
  const words = record.payload?.message
  return (
    lines.has(`${file}:${line}`) ||
    (typeof words === 'string' && texts.has(`${file}:${words.trim().slice(0, 80)}`))
  )
}

function score(judged) {
  const right = judged.filter((turn) => turn.said && turn.goal).length
  const said = judged.filter((turn) => turn.said).length
  const goals = judged.filter((turn) => turn.goal).length
  const share = (of) => (of === 0 ? null : Number((right / of).toFixed(4)))
  return { precision: share(said), recall: share(goals) }
}
