import { join } from 'node:path'
import { expect, test } from 'vitest'
import { detect, enrol, health, ingestSources, listSources } from '../../../src/main/journal'
import { temporaryFolder } from '../../support'
import { rollout } from './rollouts'
import { brokenInvariants, items, jsonl, openJournal, put } from './transcripts'

function codexHome(): string {
  const root = join(temporaryFolder(), '.codex')
  for (const [n, folder] of ['sessions/2026/07/02', 'archived_sessions'].entries()) {
    const s = rollout(n + 1)
    s.meta()
    s.turn()
    s.user(`write part ${n}`)
    s.said('Written.')
    put(join(root, folder, `rollout-2026-07-02T09-00-00-${s.id}.jsonl`), jsonl(s.lines))
  }
  put(join(root, 'history.jsonl'), jsonl([{ session_id: 'x', ts: 1782982800, text: 'write part 0' }]))
  put(join(root, 'session_index.jsonl'), jsonl([{ id: 'x', thread_name: 'Parts' }]))
  put(join(root, 'state_5.sqlite'), 'SQLite format 3')
  put(join(root, 'config.toml'), 'model = "m"')
  return root
}

test('a whole Codex folder: its sessions are read, its lists are left out and said so', async () => {
  const root = codexHome()
  const { db, journal } = openJournal()
  const report = await ingestSources(journal, [enrol(journal, { path: root })], { perFile: true })
  expect(report).toMatchObject({ files: 2, sessions: 2, errors: [] })
  expect(items(db).map((item) => item.text)).toEqual(['write part 0', 'Written.', 'write part 1', 'Written.'])
  expect(brokenInvariants(db)).toEqual([])
  const [source] = listSources(db)
  const found = health(journal.db, source?.id ?? '').unreadable
  expect(found.map(({ file, reason }) => [file.slice(root.length), reason])).toEqual([
    ['/history.jsonl', 'a list of prompts; the sessions themselves are read'],
    ['/session_index.jsonl', 'a list of titles; the sessions themselves are read'],
    ['/state_5.sqlite', 'an index over the sessions; the sessions themselves are read'],
  ])
})

test('a whole Copilot folder: one session each, what lies beside them is not touched', async () => {
  const root = join(temporaryFolder(), '.copilot', 'session-state')
  for (const id of ['s-1', 's-2']) {
    const event = (type: string, data: object, n: number) => ({ type, data, id: `${id}-${n}`, timestamp: n })
    put(
      join(root, id, 'events.jsonl'),
      jsonl([
        event('session.start', { sessionId: id, context: { cwd: '/srv/shop' } }, 1),
        event('user.message', { content: `write ${id}` }, 2),
      ]),
    )
    put(join(root, id, 'workspace.yaml'), 'cwd: /srv/shop')
    put(join(root, id, 'session.db'), 'SQLite format 3')
  }
  put(join(root, '..', 'session-store.db'), 'SQLite format 3')
  const { db, journal } = openJournal()
  const report = await ingestSources(journal, [enrol(journal, { path: join(root, '..') })])
  expect(report).toMatchObject({ files: 2, sessions: 2, errors: [], items: { goal: 2 } })
  const [source] = listSources(db)
  expect(health(db, source?.id ?? '').unreadable.map((one) => one.reason)).toEqual([
    'an index over the sessions; the sessions themselves are read',
  ])
})

test('the folders of every agent are proposed, wherever its variable points', () => {
  const home = temporaryFolder()
  const moved = codexHome()
  put(join(home, 'pilot', 'session-state', 's', 'events.jsonl'), '{}\n')
  put(join(home, 'gem', '.gemini', 'tmp', 'shop', 'chats', 'session-1.jsonl'), '{}\n')
  const { db } = openJournal()
  const env = { CODEX_HOME: moved, COPILOT_HOME: join(home, 'pilot'), GEMINI_CLI_HOME: join(home, 'gem') }
  expect(detect(db, env, home).map((one) => [one.agent, one.path, one.files])).toEqual([
    ['codex', join(moved, 'sessions'), 1],
    ['codex', join(moved, 'archived_sessions'), 1],
    ['gemini-cli', join(home, 'gem', '.gemini', 'tmp'), 1],
    ['copilot-cli', join(home, 'pilot', 'session-state'), 1],
  ])
})

test('Cursor and opencode are proposed where each system keeps them, and only their own files are read there', async () => {
  const home = temporaryFolder()
  const { db, journal } = openJournal()
  const mac = join(home, 'Library', 'Application Support', 'Cursor', 'User')
  const windows = join(home, 'Roaming', 'Cursor', 'User')
  for (const user of [mac, windows, join(home, '.config', 'Cursor', 'User')]) {
    put(join(user, 'globalStorage', 'state.vscdb'), '')
    put(join(user, 'globalStorage', 'state.vscdb.backup'), 'x')
    put(join(user, 'globalStorage', 'some.extension', 'cache.json'), '[]')
    put(join(user, 'workspaceStorage', 'aa', 'state.vscdb'), '')
    put(join(user, 'workspaceStorage', 'aa', 'workspace.json'), '{}')
    put(join(user, 'workspaceStorage', 'aa', 'some.extension', 'notes.md'), '# x')
  }
  put(join(home, '.cursor', 'projects', 'p', 'agent-transcripts', 'a', 'a.jsonl'), '{}\n')
  put(join(home, '.local', 'share', 'opencode', 'opencode.db'), '')
  const env = { APPDATA: join(home, 'Roaming') }
  expect(detect(db, env, home).map((one) => [one.agent, one.path.slice(home.length + 1), one.files])).toEqual(
    [
      ['opencode', join('.local', 'share', 'opencode'), 1],
      ['cursor', join('.cursor', 'projects'), 1],
      ...['.config', join('Library', 'Application Support'), 'Roaming'].flatMap((root) =>
        ['globalStorage', 'workspaceStorage'].map((name) => [
          'cursor',
          join(root, 'Cursor', 'User', name),
          1,
        ]),
      ),
    ],
  )
  const report = await ingestSources(journal, [enrol(journal, { path: mac })])
  expect(report).toMatchObject({ files: 2, errors: [] })
})
