import { readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { health, listSources, verifyPointer } from '../../../src/main/journal'
import { ForeignDb } from '../../../src/main/store'
import { temporaryFolder } from '../../support'
import { opencodeDatabase, opencodeSession, said, T0, tool } from './opencode-support'
import { brokenInvariants, dump, ingest, items, type Json, type Kept, openJournal, put } from './transcripts'

// opencode's database while opencode writes it.

const LATER = T0 + 3_600_000
const told = (all: readonly Kept[]): string[][] => all.map((item) => [item.kind, item.text])

describe('a database in use', () => {
  test('only what is new is read; an unfinished answer waits and is told when it is whole', async () => {
    let now = T0
    const { db, journal } = openJournal({ clock: () => now })
    const path = join(temporaryFolder(), 'opencode.db')
    const own = opencodeDatabase(path)
    onTestFinished(() => void own.db.close())
    const other = opencodeSession('ses_old')
    other.user('an old one')
    own.all(other.session)
    const s = opencodeSession()
    s.user('sort the names')
    own.all(s.session)
    await ingest(journal, path)
    const answer = s.agent(said('Sor'))
    const { completed, ...time } = answer.data.time as { completed: number; created: number }
    answer.data.time = time
    own.message(s.session, answer)
    for (const part of answer.parts) own.part(s.session, answer, part)
    await ingest(journal, path)
    expect(told(items(db))).toEqual([
      ['goal', 'sort the names'],
      ['goal', 'an old one'],
    ])
    const [source] = listSources(db)
    expect(health(db, source?.id ?? '').waiting).toMatchObject([{ file: join(path, 'ses_a1'), line: 3 }])
    answer.data.time = { ...time, completed }
    const [, text] = answer.parts
    own.part(s.session, answer, { id: text?.id ?? '', data: said('Sorted.') })
    own.message(s.session, answer)
    const report = await ingest(journal, path)
    expect(report.records).toMatchObject({ read: 4, used: 1 })
    expect(told(items(db))).toContainEqual(['conclusion', 'Sorted.'])
    expect(health(db, source?.id ?? '').waiting).toEqual([])
    expect((await ingest(journal, path)).records.read).toBe(0)
    // The program was ended in the middle of an answer: after a while it is told as it stands.
    const broken = s.agent(said('I was'))
    broken.data.time = { created: T0 + 50_000 }
    own.all(s.session)
    now = T0 + 60_000
    await ingest(journal, path)
    expect(told(items(db)).flat()).not.toContain('I was')
    now = T0 + 600_000
    await ingest(journal, path)
    expect(told(items(db)).flat()).toContain('I was')
    expect(brokenInvariants(db)).toEqual([])
  })

  test('an unchanged database is not opened', async () => {
    const { journal } = openJournal({ clock: () => LATER })
    const path = join(temporaryFolder(), 'opencode.db')
    const own = opencodeDatabase(path)
    onTestFinished(() => void own.db.close())
    const s = opencodeSession()
    s.user('sort the names')
    own.all(s.session)
    await ingest(journal, path)
    const open = ForeignDb.open
    let opened = 0
    ForeignDb.open = (...given) => {
      opened++
      return open(...given)
    }
    onTestFinished(() => {
      ForeignDb.open = open
    })
    await ingest(journal, path)
    expect(opened).toBe(0)
    own.message(s.session, s.user('and count them'))
    await ingest(journal, path)
    expect(opened).toBe(1)
  })

  test('nothing in its folder changes by the reading, in the log or not', async () => {
    const root = temporaryFolder()
    const path = join(root, 'opencode.db')
    const own = opencodeDatabase(path)
    onTestFinished(() => void own.db.close())
    const s = opencodeSession()
    s.user('sort the names')
    own.all(s.session)
    const look = (): unknown[] =>
      readdirSync(root).map((name) => {
        const { mtimeMs, ctimeMs, size } = statSync(join(root, name))
        return [name, size, mtimeMs, ctimeMs, readFileSync(join(root, name)).toString('base64')]
      })
    const before = look()
    expect(before).toHaveLength(3)
    const { db, journal } = openJournal({ clock: () => LATER })
    await ingest(journal, path)
    for (const item of items(db))
      expect(await verifyPointer({ ...pointerOf(item), file_path: item.pointer.file })).toBe('unchanged')
    expect(look()).toEqual(before)
  })

  const pointerOf = ({ pointer }: Kept) => ({
    file_path: pointer.file,
    byte_offset: pointer.byteOffset,
    byte_length: pointer.byteLength,
    record_hash: pointer.hash,
    record_id: pointer.recordId,
  })

  test('a pointer leads to its row while that is there, and says when it changed or went', async () => {
    const { db, journal } = openJournal({ clock: () => LATER })
    const path = join(temporaryFolder(), 'opencode.db')
    const own = opencodeDatabase(path)
    onTestFinished(() => void own.db.close())
    const s = opencodeSession()
    const first = s.user('sort the names')
    s.agent(said('Sorted.'))
    own.all(s.session)
    await ingest(journal, path)
    const [goal, end] = items(db)
    expect(goal?.pointer).toMatchObject({ file: join(path, 'ses_a1'), recordId: first.parts[0]?.id, line: 2 })
    const status = (item: Kept | undefined) => verifyPointer(pointerOf(item as Kept))
    expect([await status(goal), await status(end)]).toEqual(['unchanged', 'unchanged'])
    own.part(s.session, first, { id: first.parts[0]?.id ?? '', data: said('sort them') })
    own.db.prepare('DELETE FROM part WHERE id = ?').run(end?.pointer.recordId)
    expect([await status(goal), await status(end)]).toEqual(['changed', 'gone'])
    own.db.close()
    rmSync(path)
    expect(await status(goal)).toBe('gone')
  })

  test('moved with its folder it keeps its memory; gone and back it tells the same', async () => {
    const root = temporaryFolder()
    const { db, journal } = openJournal({ clock: () => LATER })
    const s = opencodeSession()
    s.user('sort the names')
    const own = opencodeDatabase(join(root, 'a', 'opencode.db'), ['journal_mode = DELETE'])
    own.all(s.session)
    own.db.close()
    await ingest(journal, root)
    const bytes = readFileSync(join(root, 'a', 'opencode.db'))
    renameSync(join(root, 'a'), join(root, 'b'))
    await ingest(journal, root)
    expect(items(db).map((item) => item.pointer.file)).toEqual([join(root, 'b', 'opencode.db', 'ses_a1')])
    rmSync(join(root, 'b'), { recursive: true })
    await ingest(journal, root)
    expect(items(db)).toHaveLength(1)
    put(join(root, 'b', 'opencode.db'), bytes)
    await ingest(journal, root)
    expect(brokenInvariants(db)).toEqual([])
    const whole = openJournal({ clock: () => LATER })
    await ingest(whole.journal, root)
    expect(dump(db)).toBe(dump(whole.db))
  })
})

/** A part as it is before it is whole. */
const begun = (data: Json): Json =>
  data.type === 'text'
    ? said('…')
    : data.type === 'tool'
      ? { ...data, state: { ...(data.state as Json), status: 'running', output: '', metadata: {} } }
      : data

test('read at any moment of its life it ends as the same journal, byte for byte', async () => {
  const sessions = ['ses_a1', 'ses_b2'].map((id) => {
    const s = opencodeSession(id)
    for (let n = 0; n < 3; n++) {
      s.user(`build part ${n} of ${id} héllo 😀`)
      s.agent(
        said('Working.'),
        tool('bash', { command: `make ${n}` }, { output: 'ok', metadata: { exit: n % 2 } }),
      )
      s.agent(said(`Part ${n} is done.`))
    }
    return s.session
  })
  const root = temporaryFolder()
  const path = join(root, 'opencode.db')
  const clock = () => LATER
  // Every write the program makes, in its order: a message begins, its parts grow, it ends.
  const steps = sessions.flatMap((session) => [
    (own: ReturnType<typeof opencodeDatabase>) => own.session(session),
    ...session.messages.flatMap((message) => [
      (own: ReturnType<typeof opencodeDatabase>) => {
        const { completed: _, ...time } = message.data.time as Record<string, number>
        own.message(session, { ...message, data: { ...message.data, time } })
      },
      ...message.parts.flatMap((part) => [
        (own: ReturnType<typeof opencodeDatabase>) =>
          own.part(session, message, { id: part.id, data: begun(part.data) }),
        (own: ReturnType<typeof opencodeDatabase>) => own.part(session, message, part),
      ]),
      (own: ReturnType<typeof opencodeDatabase>) => own.message(session, message),
    ]),
  ])
  const make = () => {
    for (const end of ['', '-wal', '-shm']) rmSync(`${path}${end}`, { force: true })
    return opencodeDatabase(path)
  }
  const whole = openJournal({ clock })
  const first = make()
  for (const step of steps) step(first)
  await ingest(whole.journal, root)
  const expected = dump(whole.db)
  expect(items(whole.db).length).toBeGreaterThan(25)
  first.db.close()
  const looks = fc.array(fc.integer({ min: 0, max: steps.length - 1 }), { maxLength: 6 })
  const program = fc.record({ looks, idle: fc.boolean(), checkpoint: fc.boolean(), vacuum: fc.boolean() })
  await fc.assert(
    fc.asyncProperty(program, async ({ looks: at, idle, checkpoint, vacuum }) => {
      const own = make()
      const { db, journal } = openJournal({ clock: () => (idle ? LATER : T0) })
      for (const [n, step] of steps.entries()) {
        step(own)
        if (!at.includes(n)) continue
        await ingest(journal, root)
        if (checkpoint) own.db.pragma('wal_checkpoint(TRUNCATE)')
        if (vacuum) own.db.exec('VACUUM')
      }
      own.db.close()
      utimesSync(path, LATER / 1000, LATER / 1000)
      await ingest(journal, root)
      expect(brokenInvariants(db)).toEqual([])
      expect(dump(db)).toBe(expected)
    }),
    { numRuns: 15 * Number(process.env.FOVEA_SOAK ?? 1) },
  )
}, 120_000)
