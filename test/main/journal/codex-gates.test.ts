import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../support'
import { copied, type Rollout, rollout } from './rollouts'
import { brokenInvariants, ingest, items, jsonl, type Kept, openJournal, put } from './transcripts'

const PLAN = '# Export invoices\n\n1. Write the exporter\n2. Test it'

/** A session whose agent has just proposed a plan. */
function planned(plan = PLAN): Rollout {
  const s = rollout(1)
  s.meta()
  const turn_id = s.turn('plan')
  s.user('plan the invoice export')
  s.said('Let me look.', 'commentary')
  s.event('item_completed', { turn_id, item: { type: 'Plan', id: `${turn_id}-plan`, text: plan } })
  s.said(`<proposed_plan>\n${plan}\n</proposed_plan>`)
  s.done()
  return s
}

async function read(...sessions: Rollout[]): Promise<Kept[]> {
  const { db, journal } = openJournal()
  const folder = temporaryFolder()
  for (const s of sessions) put(join(folder, `${s.id}.jsonl`), jsonl(s.lines))
  await ingest(journal, folder)
  expect(brokenInvariants(db)).toEqual([])
  return items(db)
}
const of = (all: readonly Kept[], kind: string): Kept[] => all.filter((item) => item.kind === kind)

describe('a proposed plan', () => {
  test('is one plan with a gate, told by the message or by the completed item or by both', async () => {
    const both = await read(planned())
    expect(of(both, 'plan')).toHaveLength(1)
    const [plan] = of(both, 'plan')
    expect(plan?.text).toBe(PLAN)
    for (const left of ['item_completed', 'message']) {
      const s = planned()
      const lines = s.lines.filter((line) => {
        const payload = line.payload as { type?: string; role?: string }
        return !(payload.type === left && payload.role !== 'user')
      })
      const found = of(await read({ ...s, lines }), 'plan')
      expect(found.map((item) => item.handle)).toEqual([plan?.handle])
    }
  })

  test('outside plan mode the tag is only a word', async () => {
    const s = rollout(1)
    s.meta()
    s.turn('default')
    s.user('explain the tag')
    s.said('It looks so:\n<proposed_plan>\nx\n</proposed_plan>')
    const all = await read(s)
    expect(of(all, 'plan')).toEqual([])
    expect(of(all, 'conclusion')[0]?.text).toContain('<proposed_plan>')
  })
})

describe('the decision is the turn after', () => {
  async function decide(mode: string, words: string) {
    const s = planned()
    s.turn(mode)
    s.user(words)
    s.said('All right.')
    const all = await read(s)
    const [plan] = of(all, 'plan')
    const [decision, ...more] = of(all, 'decision')
    expect(more).toEqual([])
    expect(plan?.data.gate).toEqual({ toolUseId: decision?.data.toolUseId })
    return { decision, goals: of(all, 'goal').map((item) => item.text), all }
  }

  test('"Implement the plan." approves, and the goal goes on', async () => {
    const { decision, goals, all } = await decide('default', 'Implement the plan.')
    expect(decision?.data).toMatchObject({ of: 'plan', verdict: 'approve', words: '' })
    expect(decision?.text).toBe('Approved the plan “Export invoices”')
    expect(goals).toEqual(['plan the invoice export'])
    expect(all.at(-1)?.goal).toBe(all[0]?.handle)
  })

  test('words in plan mode send it back with these words', async () => {
    const { decision, goals } = await decide('plan', 'use a queue for step 1')
    expect(decision?.data).toMatchObject({ verdict: 'refused', words: 'use a queue for step 1' })
    expect(goals).toEqual(['plan the invoice export'])
  })

  test('words after plan mode was left approve it, and are a goal of their own', async () => {
    const { decision, goals } = await decide('default', 'start with the exporter, without tests')
    expect(decision?.data).toMatchObject({
      verdict: 'approve',
      words: 'start with the exporter, without tests',
    })
    expect(goals).toEqual(['plan the invoice export', 'start with the exporter, without tests'])
  })

  test('a nod approves and a no refuses, whatever the mode', async () => {
    expect((await decide('plan', 'yes, go ahead')).decision?.data.verdict).toBe('approve')
    expect((await decide('default', "no, don't build this at all")).decision?.data.verdict).toBe('refused')
  })

  test('a plan that comes back with the request carries its own edits', async () => {
    const same = await decide('default', `PLEASE IMPLEMENT THIS PLAN:\n${PLAN}`)
    expect(same.decision?.data).toMatchObject({ verdict: 'approve' })
    expect(same.decision?.data.edited).toBeUndefined()
    const edited = await decide('default', `PLEASE IMPLEMENT THIS PLAN:\n${PLAN}\n3. Ship it`)
    expect(edited.decision?.data).toMatchObject({ verdict: 'approve', edited: true })
  })

  test('a decision read long after the plan names it all the same', async () => {
    const { db, journal } = openJournal()
    const path = join(temporaryFolder(), 'r.jsonl')
    const s = planned()
    put(path, jsonl(s.lines))
    await ingest(journal, path)
    s.turn('default')
    s.user('Implement the plan.')
    put(path, jsonl(s.lines))
    await ingest(journal, path)
    expect(of(items(db), 'decision')[0]?.text).toBe('Approved the plan “Export invoices”')
  })

  test('each of several rounds has its own decision', async () => {
    const s = planned()
    const turn_id = s.turn('plan')
    s.user('shorter')
    s.event('item_completed', { turn_id, item: { type: 'Plan', id: 'p2', text: '# Short' } })
    s.said('<proposed_plan>\n# Short\n</proposed_plan>')
    s.done()
    s.turn('default')
    s.user('Implement the plan.')
    const all = await read(s)
    expect(of(all, 'plan').map((item) => item.text)).toEqual([PLAN, '# Short'])
    expect(of(all, 'decision').map((item) => item.data.verdict)).toEqual(['refused', 'approve'])
    const gates = of(all, 'plan').map((item) => (item.data.gate as { toolUseId: string }).toolUseId)
    expect(of(all, 'decision').map((item) => item.data.toolUseId)).toEqual(gates)
  })
})

describe('copied history', () => {
  function parent(turns = true): Rollout {
    const s = rollout(1, { turns })
    s.meta()
    for (const n of [1, 2, 3]) {
      s.turn()
      s.user(`change part ${n}`)
      s.call(`call_parentparent${n}`, 'exec_command', { cmd: `make part${n}` })
      s.output(`call_parentparent${n}`, 'Exit code: 0\nOutput:\nmade')
      s.said(`Part ${n} is changed.`)
      s.done()
    }
    return s
  }
  const HOUR = 3_600_000

  function forkOf(p: Rollout, extra: object, own: (s: Rollout) => void, turns = true): Rollout {
    const s = rollout(2, { start: p.now() + HOUR, turns })
    s.meta(extra as never)
    for (const line of copied(p.lines, s.now() + 5)) s.lines.push(line)
    s.wait(5 + p.lines.length)
    own(s)
    return s
  }

  test('a fork repeats nothing: its parent told it, and both hold it', async () => {
    for (const turns of [true, false]) {
      const p = parent(turns)
      const child = forkOf(
        p,
        { forked_from_id: p.id },
        (s) => {
          s.turn()
          s.user('write it another way')
          s.said('Done another way.')
        },
        turns,
      )
      const alone = await read(p)
      const all = await read(p, child)
      expect(all).toHaveLength(alone.length + 2)
      for (const item of alone) {
        const now = all.find((one) => one.handle === item.handle)
        expect(now, item.text).toBeDefined()
        expect(now).toMatchObject({ session: item.session, ts: item.ts, settled: item.settled })
        expect(now?.sessions).toEqual([`codex:${p.id}`, `codex:${child.id}`].sort())
      }
      const own = all.filter((item) => item.session === `codex:${child.id}`)
      expect(own.map((item) => [item.kind, item.text])).toEqual([
        ['goal', 'write it another way'],
        ['conclusion', 'Done another way.'],
      ])
    }
  })

  test('without the parent its history is shown once, as the parent’s and marked', async () => {
    const p = parent()
    const child = forkOf(p, { forked_from_id: p.id }, (s) => {
      s.turn()
      s.user('write it another way')
    })
    const all = await read(child)
    const inherited = all.filter((item) => item.session === `codex:${p.id}`)
    expect(inherited).toHaveLength((await read(p)).length)
    expect(inherited.every((item) => !item.settled)).toBe(true)
    // The turn's own id says when it was, not the time of the copy.
    expect(Math.max(...inherited.map((item) => item.ts ?? 0))).toBeLessThan(p.now() + 1)
  })

  test('a fork without its parent’s head line is known by its own', async () => {
    const p = parent()
    const child = forkOf({ ...p, lines: p.lines.slice(1) }, { forked_from_id: p.id }, (s) => {
      s.turn()
      s.user('and now?')
      s.user('draw the graph')
    })
    expect(await read(p, child)).toHaveLength((await read(p)).length + 2)
  })

  test('a sub-agent that begins with its parent’s history inherits the goal and asks for nothing itself', async () => {
    const p = parent()
    const spawn = { subagent: { thread_spawn: { parent_thread_id: p.id, depth: 1 } } }
    for (const extra of [{ source: spawn }, { source: spawn, parent_thread_id: p.id }]) {
      const child = forkOf(p, extra, (s) => {
        s.turn()
        s.user('look for the exporter')
        s.call('call_childchildchild', 'exec_command', { cmd: 'rg exporter' })
        s.output('call_childchildchild', 'Exit code: 0\nOutput:\na')
        s.said('It is in a.')
        s.done()
      })
      const all = await read(p, child)
      const own = all.filter((item) => item.session === `codex:${child.id}`)
      expect(own.map((item) => item.kind)).toEqual(['command', 'conclusion'])
      const goals = all.filter((item) => item.kind === 'goal')
      expect(goals.map((item) => item.text)).toEqual(['change part 1', 'change part 2', 'change part 3'])
      expect(new Set(own.map((item) => item.goal))).toEqual(new Set([goals.at(-1)?.handle]))
    }
  })

  test('the ordinal where a sub-agent’s own history starts is believed', async () => {
    const p = rollout(1, { ordinals: true })
    p.meta()
    p.turn()
    p.user('the parent’s task')
    p.said('Working on it.')
    const child = rollout(2, { start: p.now() + HOUR, ordinals: true })
    const start = p.lines.length + 1
    child.meta({ parent_thread_id: p.id, source: { subagent: {} }, subagent_history_start_ordinal: start })
    for (const line of copied(p.lines, child.now()))
      child.lines.push({ ...line, ordinal: child.lines.length })
    child.turn()
    child.user('the child’s task')
    child.said('Found it.')
    const all = await read(p, child)
    expect(all.map((item) => [item.session.endsWith(p.id), item.text])).toEqual([
      [true, 'the parent’s task'],
      [true, 'Working on it.'],
      [false, 'Found it.'],
    ])
  })

  test('turns taken back stay, marked, and the goal is the one before them', async () => {
    const { db, journal } = openJournal()
    const s = rollout(1)
    s.meta()
    for (const text of ['write the exporter', 'delete the importer', 'rename the importer']) {
      s.turn()
      s.user(text)
      s.said(`Done: ${text}`)
      s.done()
    }
    s.event('thread_rolled_back', { num_turns: 2 })
    s.turn()
    s.user('yes')
    s.said('Going on.')
    await ingest(journal, put(join(temporaryFolder(), 'r.jsonl'), jsonl(s.lines)))
    expect(brokenInvariants(db)).toEqual([])
    const off = db
      .all<{ handle: string }>('SELECT handle FROM items WHERE rewound = 1')
      .map((row) => row.handle)
    const all = items(db)
    expect(all.map((item) => off.includes(item.handle))).toEqual([
      false,
      false,
      true,
      true,
      true,
      true,
      false,
      false,
    ])
    expect(all.at(-1)?.goal).toBe(all[0]?.handle)
  })

  test('a sub-agent is tied to the call that began it, by an event or by the call’s output', async () => {
    for (const how of ['event', 'output']) {
      const p = rollout(1)
      p.meta()
      p.turn()
      const child = rollout(2, { start: p.now() + 60_000 })
      p.user('find the exporter')
      p.call('call_spawnspawnspawn', 'spawn_agent', { message: 'look for it', agent_type: 'explorer' })
      if (how === 'event')
        p.event('collab_agent_spawn_end', { call_id: 'call_spawnspawnspawn', new_thread_id: child.id })
      p.output('call_spawnspawnspawn', how === 'output' ? JSON.stringify({ agent_id: child.id }) : 'ok')
      p.turn()
      p.user('write the importer')
      child.meta({ source: { subagent: { thread_spawn: { parent_thread_id: p.id } } } })
      child.turn()
      child.user('look for it')
      child.said('It is in a.')
      child.done()
      const all = await read(p, child)
      const own = all.filter((item) => item.session === `codex:${child.id}`)
      expect(own.map((item) => [item.kind, item.goal])).toEqual([['conclusion', all[0]?.handle]])
      expect(all[0]?.text).toBe('find the exporter')
    }
  })

  test('moving a session to the archive changes no item', async () => {
    const { db, journal } = openJournal()
    const root = temporaryFolder()
    const p = parent()
    put(join(root, 'sessions/2026/07/02', `rollout-${p.id}.jsonl`), jsonl(p.lines))
    await ingest(journal, root)
    const before = items(db).map((item) => item.handle)
    put(join(root, 'archived_sessions', `rollout-${p.id}.jsonl`), jsonl(p.lines))
    await ingest(journal, root)
    expect(items(db).map((item) => item.handle)).toEqual(before)
  })
})
