import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../support'
import {
  brokenInvariants,
  dump,
  ingest,
  items,
  type Json,
  jsonl,
  openJournal,
  put,
  scribe,
} from './transcripts'

const T0 = Date.parse('2026-03-03T09:00:00Z')

function agentFile(
  parent: string,
  id: string,
  start: number,
  calls?: { id: string; prompt: string },
): Json[] {
  const s = scribe(parent, { start, extra: { isSidechain: true, agentId: id } })
  s.user('look through the folder')
  s.call(`${id}-read`, 'Read', { file_path: `/srv/shop/${id}.md` })
  s.result(`${id}-read`, 'text')
  if (calls) {
    s.call(calls.id, 'Agent', { subagent_type: 'Explore', description: 'deeper', prompt: calls.prompt })
    s.result(calls.id, 'Found.', { toolUseResult: { status: 'completed', agentId: 'deep', content: [] } })
  }
  s.said(`It is ${id}.`)
  return s.lines.map((record) => ({ ...record, uuid: `${id}-${String(record.uuid)}` }))
}

/** A goal starts a helper in the background; by the time it works the person has asked for something else. */
function background(): Record<string, string> {
  const s = scribe('P', { start: T0 })
  s.user('find out how the export works')
  s.call('call-1', 'Task', { subagent_type: 'Explore', description: 'look', prompt: 'look' })
  s.result('call-1', 'Started.', {
    toolUseResult: { isAsync: true, status: 'async_launched', agentId: 'x1' },
  })
  s.user('meanwhile rename the button')
  s.call('b', 'Bash', { command: 'ls' })
  s.result('b', 'a')
  s.said('Renamed.')
  return {
    'slug/P.jsonl': s.text(),
    'slug/P/subagents/agent-x1.jsonl': jsonl(
      agentFile('P', 'x1', T0 + 60_000, { id: 'call-2', prompt: 'deeper' }),
    ),
    'slug/agent-deep.jsonl': jsonl(agentFile('P', 'deep', T0 + 90_000)),
  }
}

describe('sub-agents', () => {
  const files = background()
  const names = Object.keys(files)
  test.each([names, [...names].reverse(), [names[1], names[0], names[2]]])(
    'inherit the goal of the call that started them, in whatever order files are read',
    async (...order) => {
      const root = temporaryFolder()
      const { db, journal } = openJournal()
      for (const name of order.flat() as string[]) {
        put(join(root, name), files[name] ?? '')
        await ingest(journal, root)
      }
      const all = items(db)
      const goal = all.find((item) => item.text === 'find out how the export works')?.handle
      const goalOf = (text: string) => all.find((item) => item.text.includes(text))?.goal
      expect(goalOf('Read /srv/shop/x1.md')).toBe(goal)
      expect(goalOf('It is x1.')).toBe(goal)
      // A helper of the helper, in the flat place of older versions.
      expect(goalOf('It is deep.')).toBe(goal)
      expect(goalOf('Renamed.')).not.toBe(goal)
      const parents = db.all(`SELECT id, parent_id FROM sessions WHERE parent_id IS NOT NULL ORDER BY id`)
      expect(parents).toEqual([
        { id: 'claude-code:P/agent-deep', parent_id: 'claude-code:P' },
        { id: 'claude-code:P/agent-x1', parent_id: 'claude-code:P' },
      ])
      expect(brokenInvariants(db)).toEqual([])
    },
  )
})

/** A turn, an answer; then another turn that is taken back and asked differently. */
function rewound(): { lines: Json[]; fork: Json[] } {
  const s = scribe('R', { start: T0 })
  s.user('write the parser')
  const before = s.said('Written.')
  s.user('use a library for it')
  s.call('b1', 'Bash', { command: 'npm install parser' })
  s.result('b1', 'added')
  s.said('With a library.')
  // Back to before "use a library", behind a record of the program itself.
  const caveat = s.user('<local-command-caveat>Caveat: …</local-command-caveat>', {
    isMeta: true,
    parentUuid: before.uuid,
  })
  s.user('yes', { parentUuid: caveat.uuid })
  s.said('Then it stays as it is.')
  s.user('write the tests by hand')
  s.said('Tests written.')
  return { lines: s.lines, fork: s.lines.slice(0, 2) }
}

describe('a person who goes back in a session', () => {
  test('leaves a branch that is kept, marked, and no longer what the session is about', async () => {
    const { db, journal } = openJournal()
    await ingest(journal, put(join(temporaryFolder(), 'R.jsonl'), jsonl(rewound().lines)))
    const all = items(db)
    const marked = db.all<{ handle: string }>('SELECT handle FROM items WHERE rewound = 1 ORDER BY position')
    const left = marked.map(({ handle }) => all.find((item) => item.handle === handle)?.text)
    expect(left).toEqual(['use a library for it', '$ npm install parser\nadded', 'With a library.'])
    const goal = all.find((item) => item.text === 'write the parser')?.handle
    // "yes" agrees with what stood before the branch, not with the library.
    expect(all.find((item) => item.text === 'Then it stays as it is.')?.goal).toBe(goal)
    const arcs = db.all<{ n: number }>(
      'SELECT count(DISTINCT rewound) AS n FROM items GROUP BY arc_id HAVING n > 1',
    )
    expect(arcs).toEqual([])
    const arcOf = (text: string) =>
      db.get<{ arc_id: string }>('SELECT arc_id FROM items WHERE handle = ?', [
        all.find((item) => item.text === text)?.handle ?? '',
      ])?.arc_id
    expect(arcOf('With a library.')).not.toBe(arcOf('Then it stays as it is.'))
    expect(brokenInvariants(db)).toEqual([])
  })

  test('is seen the same when the file grows record by record, and beside a copy of its beginning', async () => {
    const { lines } = rewound()
    const root = temporaryFolder()
    const path = join(root, 'R.jsonl')
    const whole = openJournal()
    put(path, jsonl(lines))
    put(join(root, 'A-copy.jsonl'), jsonl(lines.slice(0, 5)))
    await ingest(whole.journal, root)
    const grown = openJournal()
    for (let n = 1; n <= lines.length; n++) {
      put(path, jsonl(lines.slice(0, n)))
      await ingest(grown.journal, root)
    }
    expect(dump(grown.db)).toBe(dump(whole.db))
    expect(whole.db.get('SELECT count(*) AS n FROM items WHERE rewound = 1')).toEqual({ n: 3 })
  })

  test('a cleared context that carries out a plan is no way back', async () => {
    const s = scribe('C', { start: T0 })
    s.user('plan the export', { parentUuid: null })
    s.said('Here is a plan.')
    s.user('Implement the following plan:\n\n# Export\n1. write it', { parentUuid: null })
    s.said('Done.')
    const { db, journal } = openJournal()
    await ingest(journal, put(join(temporaryFolder(), 'C.jsonl'), s.text()))
    expect(db.get('SELECT count(*) AS n FROM items WHERE rewound = 1')).toEqual({ n: 0 })
  })

  test('records appended once more by the program are no way back', async () => {
    const s = scribe('D', { start: T0 })
    s.user('write the parser')
    s.said('Written.')
    s.user('now the tests')
    s.said('Tests written.')
    const lines = [...s.lines, ...s.lines]
    const { db, journal } = openJournal()
    await ingest(journal, put(join(temporaryFolder(), 'D.jsonl'), jsonl(lines)))
    expect(db.get('SELECT count(*) AS n FROM items WHERE rewound = 1')).toEqual({ n: 0 })
  })
})
