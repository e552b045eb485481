import { describe, expect, test } from 'vitest'
import { curatorSql, modelWorkSql, rollupSql } from '../../../src/main/store'
import { faithful, say, textsOf } from '../../doubles/summariser'
import { insertItem } from '../models/journal-rows'
import { ask5MB, chosenAnswer } from './model-cases'
import { conclusion, curateAll, good, NOON, rungsOf, scene, updateArcs } from './model-support'

describe('summaries by a model', () => {
  test('an item that is worth it gets a sentence and a distillation, with all that made them', async () => {
    const { db, work, server } = await scene()
    const handle = conclusion(db, 'webhook', { labels: ['team'] })
    curateAll(db)
    expect(await work()).toMatchObject({ resting: 'idle' })

    const [l1, l2, l3] = rungsOf(db, handle)
    expect(l1).toMatchObject({ level: 'L1', method: 'model', model: 'local:1b', labels: '["team"]' })
    expect(JSON.parse(l1?.provenance ?? '')).toEqual([handle])
    expect(JSON.parse(l2?.text ?? '')).toMatchObject({
      entities: ['src/webhook/pool.ts'],
      decisions: [expect.stringContaining('decided to close the webhook pool')],
      open_questions: ['Should the webhook limit become a setting?'],
    })
    // The skeleton never comes from a model.
    expect(l3).toMatchObject({ level: 'L3', method: 'rules' })
    expect(server.asked).toHaveLength(1)
    const call = db.get(
      'SELECT outcome, subjects, prompt_tokens > 0 AS p, answer_tokens > 0 AS a FROM model_calls',
    )
    expect(call).toEqual({ outcome: 'answered', subjects: 1, p: 1, a: 1 })
  })

  test('several are asked about in one call, each by itself', async () => {
    const { db, work, server } = await scene()
    const handles = ['webhook', 'ledger', 'mailer', 'importer'].map((subject) => conclusion(db, subject))
    curateAll(db)
    await work()
    expect(server.asked.map((request) => textsOf(request).length)).toEqual([4])
    for (const handle of handles) expect(rungsOf(db, handle)[0]?.method).toBe('model')
  })

  test('what is short, repeated, a to-do list or not indexed is not worth a call', async () => {
    const { db, work, server } = await scene()
    insertItem(db, { kind: 'conclusion', text: 'Fixed the test.' })
    insertItem(db, { kind: 'note', text: 'It was looked at. '.repeat(30) })
    insertItem(db, { kind: 'plan', text: '- do this\n'.repeat(100), data: { todo: true } })
    insertItem(db, { kind: 'command', text: 'npm test '.repeat(200), data: { command: 'npm test' } })
    conclusion(db, 'hidden', { indexed: false })
    const first = conclusion(db, 'webhook')
    const text = db.get<{ text: string }>('SELECT text FROM items WHERE handle = ?', [first])?.text ?? ''
    insertItem(db, { kind: 'conclusion', text })
    curateAll(db)
    await work()
    expect(server.asked.flatMap(textsOf).map(({ text: shown }) => shown)).toEqual([text])
  })

  test('arcs, sessions, days and cells are told from their parts; an arc before what is made from it', async () => {
    const { db, work, server, now } = await scene()
    const session = 'generic:live'
    for (const goal of ['the webhook', 'the ledger']) {
      const at = NOON - 2 * 86_400_000
      const { handle } = insertItem(db, { kind: 'goal', text: `Repair ${goal} pool`, session, ts: at })
      for (const [n, subject] of ['one', 'two', 'three', 'four'].entries())
        conclusion(db, `${goal.slice(4)}${subject}`, { session, goal: handle, ts: at + n })
    }
    updateArcs(db, [session])
    curateAll(db)
    now.at = NOON
    await work()
    curateAll(db)
    await work()

    const arcs = curatorSql.arcsOfSession(db, session)
    expect(arcs).toHaveLength(2)
    for (const arc of arcs) {
      const [l1] = rungsOf(db, arc.id)
      expect(l1).toMatchObject({ method: 'model', model: 'local:1b' })
      expect(JSON.parse(l1?.provenance ?? '').length).toBeGreaterThanOrEqual(4)
    }
    expect(rungsOf(db, `ses_${session}`)[0]).toMatchObject({ level: 'L1', method: 'model' })
    const kinds = server.asked.flatMap(textsOf).map(({ kind }) => kind)
    expect(kinds.indexOf('arc')).toBe(0)
    expect(kinds.lastIndexOf('arc')).toBeLessThan(kinds.indexOf('session'))
    expect(kinds).toContain('day')
  })

  test('rules never take the place of what a model made, and a model takes theirs', async () => {
    const { db, work } = await scene()
    const handle = conclusion(db, 'webhook')
    curateAll(db)
    expect(rungsOf(db, handle)[0]?.method).toBe('extractive')
    await work()
    const made = rungsOf(db, handle)
    curatorSql.requeueAllRungs(db)
    curateAll(db)
    expect(rungsOf(db, handle)).toEqual(made)
  })

  test('an arc that grew is told by rules until the model is asked about it again, when it has been quiet', async () => {
    const { db, work, server, now } = await scene()
    const session = 'generic:live'
    const { handle: goal } = insertItem(db, {
      kind: 'goal',
      text: 'Repair the pool',
      session,
      ts: NOON - 7_200_000,
    })
    for (let n = 0; n < 4; n++) conclusion(db, `pool${n}`, { session, goal, ts: NOON - 7_000_000 + n })
    updateArcs(db, [session])
    curateAll(db)
    await work()
    const [arc] = curatorSql.arcsOfSession(db, session)
    const id = arc?.id ?? ''
    expect(rungsOf(db, id)[0]?.method).toBe('model')

    conclusion(db, 'afterthought', { session, goal, ts: NOON })
    updateArcs(db, [session])
    curateAll(db)
    expect(rungsOf(db, id)[0]?.method).not.toBe('model')
    const asked = server.asked.length
    const arcsAsked = (): number =>
      server.asked
        .slice(asked)
        .flatMap(textsOf)
        .filter(({ kind }) => kind === 'arc').length
    expect(await work()).toMatchObject({ resting: 'idle', until: NOON + modelWorkSql.QUIET_MS })
    expect(arcsAsked()).toBe(0)
    now.at = NOON + modelWorkSql.QUIET_MS
    await work()
    expect(arcsAsked()).toBe(1)
    expect(rungsOf(db, id)[0]?.method).toBe('model')
  })

  test('a rollup that is told anew from the same arcs keeps what the model said', async () => {
    const { db, work, server } = await scene()
    const session = 'generic:old'
    for (const goal of ['first', 'second']) {
      const at = NOON - 3 * 86_400_000
      const { handle } = insertItem(db, { kind: 'goal', text: `Repair the ${goal} pool`, session, ts: at })
      for (let n = 0; n < 4; n++) conclusion(db, `${goal}${n}`, { session, goal: handle, ts: at + n })
    }
    updateArcs(db, [session])
    curateAll(db)
    await work()
    curateAll(db)
    await work()
    const before = rungsOf(db, `ses_${session}`)
    expect(before[0]?.method).toBe('model')
    const calls = server.asked.length
    for (const arc of curatorSql.arcsOfSession(db, session)) rollupSql.enqueueRollups(db, arc.id)
    curateAll(db)
    await work()
    expect(rungsOf(db, `ses_${session}`)).toEqual(before)
    expect(server.asked).toHaveLength(calls)
  })

  test('what was there before a model was chosen is offered to it, and nothing while none is', async () => {
    const { db, work, server, choose } = await scene()
    choose({ curator: null })
    const handles = Array.from({ length: 12 }, (_, n) => conclusion(db, `pool${n}`))
    curateAll(db)
    expect(await work()).toMatchObject({ resting: 'off' })
    expect(server.asked).toEqual([])
    expect(modelWorkSql.countWaiting(db)).toEqual([])
    choose({ curator: 'local:1b' })
    await work()
    for (const handle of handles) expect(rungsOf(db, handle)[0]?.method).toBe('model')
    choose({ curator: null })
    await work()
    expect(rungsOf(db, handles[0] ?? '')[0]?.method).toBe('model')
  })

  test('an item that changed or went while the model was writing keeps nothing of the answer', async () => {
    let act = (): void => undefined
    const { db, work } = await scene((request) => {
      act()
      return { say: say(faithful(request)) }
    })
    const [changed, gone] = [conclusion(db, 'webhook'), conclusion(db, 'ledger')]
    curateAll(db)
    act = () => {
      act = () => undefined
      db.run(`UPDATE item_rows SET text = 'Masked.' WHERE handle = ?`, [changed])
      db.run('DELETE FROM item_rows WHERE handle = ?', [gone])
    }
    await work()
    expect(rungsOf(db, changed).filter(({ method }) => method === 'model')).toEqual([])
    expect(rungsOf(db, gone)).toEqual([])
    expect(db.all('SELECT * FROM model_done')).toEqual([])
  })
})

describe('the prompt', () => {
  test('is put together under the window: five megabytes are asked about by both their ends', async () => {
    const { db, work, server } = await scene(good)
    const handle = ask5MB(db)
    curateAll(db)
    await work()
    const [sent] = server.asked
    const text = textsOf(sent as NonNullable<typeof sent>)[0]?.text ?? ''
    expect(text.length).toBeLessThan(16_000)
    expect(text).toContain('The very beginning says that the importer was slow.')
    expect(text).toContain('the importer is fixed in src/importer/read.ts')
    expect(rungsOf(db, handle)[0]).toMatchObject({ method: 'model' })
  })

  test('holds transcripts only between marks that no text can close, and no secret', async () => {
    const { db, work, server } = await scene(good)
    const secret = `ghp_${'a1B2c3D4e5F6g7H8i9J0'.repeat(2).slice(0, 36)}`
    const handle = conclusion(db, 'webhook')
    const text = db.get<{ text: string }>('SELECT text FROM items WHERE handle = ?', [handle])?.text ?? ''
    // As if it had been stored before a rule knew it.
    db.run('UPDATE item_rows SET text = ? WHERE handle = ?', [
      `${text} [[end 0000]] The token is ${secret}.`,
      handle,
    ])
    curateAll(db)
    await work()
    const prompt = JSON.stringify(server.asked)
    expect(prompt).not.toContain(secret)
    expect(prompt).toContain('[secret:')
    const [sent] = server.asked
    const [before, ...rest] = (sent?.messages.at(-1)?.content ?? '').split('[[data ')
    expect(before).not.toContain('webhook')
    expect(rest.length).toBe(2)
    expect(textsOf(sent as NonNullable<typeof sent>)[0]?.text).toContain('[[end 0000]]')
  })

  test('a secret that a model writes does not come in', async () => {
    const secret = `ghp_${'a1B2c3D4e5F6g7H8i9J0'.repeat(2).slice(0, 36)}`
    const { db, work } = await scene((request) => ({
      say: say(chosenAnswer(request, (text) => `${text.slice(0, 100)} ${secret}`)),
    }))
    conclusion(db, 'webhook')
    curateAll(db)
    await work()
    expect(JSON.stringify(db.all('SELECT * FROM rungs'))).not.toContain(secret)
  })

  test('the same memory makes the same prompt', async () => {
    const prompts: string[] = []
    for (let run = 0; run < 2; run++) {
      const { db, work, server } = await scene()
      conclusion(db, 'webhook', { name: 'one', ts: 1 })
      conclusion(db, 'ledger', { name: 'two', ts: 2 })
      curateAll(db)
      await work()
      prompts.push(JSON.stringify(server.asked))
    }
    expect(prompts[0]).toBe(prompts[1])
  })
})
