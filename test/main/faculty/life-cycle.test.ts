import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  evict,
  Faculties,
  Faculty,
  type FacultyStore,
  facultyId,
  type Signal,
  type Turn,
} from '../../../src/main/faculty'
import { facultyStore } from '../../../src/main/journal'
import { openWrite } from '../../../src/main/store'
import { FacultySettings } from '../../../src/shared/attention'
import { temporaryDb } from '../../support'
import { bid, chars4, NOW } from './support'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

const signal = (id: string, kind: Signal['kind'] = 'mention', at = NOW): Signal => ({
  id,
  kind,
  at,
  handle: null,
})
const all = FacultySettings.parse({
  adaptive: true,
  salience: true,
  sceneGate: true,
  interrupts: true,
  adaptiveDepth: true,
})
const turn = (more: Partial<Turn> = {}): Turn => ({
  budget: 500,
  goal: { about: [] },
  now: NOW,
  count: chars4,
  settings: all,
  say: ({ id }) => `signal ${id}`,
  sayCost: 20,
  ...more,
})

describe('signals', () => {
  test('come up in the next turn, raise its zone, and are gone after it', () => {
    const faculty = new Faculty('claude-code:s1', facultyStore(temporaryDb()), NOW)
    expect(faculty.hear(signal('m1'))).toBe(true)
    const first = faculty.turn([bid('work')], turn())
    expect(first).toMatchObject({ zone: 'amber', mode: 'engaged' })
    expect(first.context).toContain('signal m1')
    expect(first.trace.transitions).toEqual([{ from: 'green', to: 'amber', at: NOW, cause: 'mention' }])
    const second = faculty.turn([bid('work')], turn({ now: NOW + 1000 }))
    expect(second.context).not.toContain('signal')
    expect(second.trace.transitions).toMatchObject([{ from: 'amber', to: 'green', cause: 'a quiet turn' }])
  })

  test('whatever is told, restarted and told again, each comes up exactly once', () => {
    const step = fc.oneof(
      fc.record({ do: fc.constant('hear' as const), id: fc.integer({ min: 0, max: 12 }) }),
      fc.record({ do: fc.constantFrom('turn' as const, 'restart' as const), id: fc.constant(0) }),
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const db = temporaryDb()
        const open = () => new Faculty('p', facultyStore(db), NOW)
        let faculty = open()
        const told = new Set<string>()
        const came: string[] = []
        const take = (): void => {
          const { trace } = faculty.turn([], turn({ budget: 100_000 }))
          came.push(...trace.rows.map(({ bid: id }) => id))
        }
        for (const one of steps) {
          if (one.do === 'hear') {
            expect(faculty.hear(signal(`s${one.id}`))).toBe(!told.has(`signal:s${one.id}`))
            told.add(`signal:s${one.id}`)
          } else if (one.do === 'restart') faculty = open()
          else take()
        }
        take()
        expect(came.sort()).toEqual([...told].sort())
      }),
      { numRuns: 30 },
    )
  })

  test('outlive a closed database, and the zone with them', () => {
    const db = temporaryDb()
    new Faculty('p', facultyStore(db), NOW).hear(signal('a1', 'alert'))
    const again = openWrite(db.path)
    const woken = new Faculty('p', facultyStore(again), NOW)
    expect(woken.turn([], turn()).zone).toBe('red')
    again.close()
    const third = new Faculty('p', facultyStore(db), NOW)
    expect([third.zone, third.turn([], turn({ now: NOW + 1 })).trace.rows]).toEqual(['red', []])
  })

  test('of a turn that could not be assembled stay pending', () => {
    const faculty = new Faculty('p', facultyStore(temporaryDb()), NOW)
    faculty.hear(signal('m1'))
    expect(() => faculty.turn([bid('pin', { pin: true, lengths: [4000] })], turn())).toThrow(/pin/)
    expect(faculty.turn([], turn()).context).toBe('signal m1')
  })

  test('neither bid nor raise while interrupts are off, and do not pile up', () => {
    const store = facultyStore(temporaryDb())
    const faculty = new Faculty('p', store, NOW)
    faculty.hear(signal('a1', 'alert'))
    const made = faculty.turn([bid('work')], turn({ settings: { ...all, interrupts: false } }))
    expect(made).toMatchObject({ zone: 'green', context: 'text of work' })
    expect(store.pending(faculty.id)).toEqual([])
  })

  test('reach one faculty only', () => {
    const store = facultyStore(temporaryDb())
    const [one, other] = [new Faculty('a', store, NOW), new Faculty('b', store, NOW)]
    one.hear(signal('m1'))
    expect(other.turn([], turn()).context).toBe('')
  })
})

describe('a faculty', () => {
  test('has an id made from its parent’s and is the same one for as long as the parent lives', () => {
    const faculties = new Faculties(facultyStore(temporaryDb()))
    const born = faculties.of('claude-code:s1', NOW)
    expect(born.id).toBe('claude-code:s1.attention')
    expect(faculties.of('claude-code:s1', NOW)).toBe(born)
  })

  test('closed takes everything pending with it; its parent’s next one starts calm', () => {
    const faculties = new Faculties(facultyStore(temporaryDb()))
    faculties.of('p', NOW).hear(signal('a1', 'alert'))
    faculties.close('p')
    const next = faculties.of('p', NOW)
    expect([next.zone, next.turn([], turn()).context]).toEqual(['green', ''])
  })

  test('ten thousand births and closings leave nothing behind', () => {
    const rows = new Map<string, { pending: Signal[]; arousal: string }>()
    const store: FacultyStore = {
      load: (id) => rows.get(id)?.arousal ?? null,
      born: (id, _parent, _at, arousal) => void rows.set(id, { pending: [], arousal }),
      accept: (id, one) => (rows.get(id)?.pending.push(one) ?? 0) > 0,
      pending: (id) => rows.get(id)?.pending ?? [],
      turned: (id, { arousal }) => void rows.set(id, { pending: [], arousal }),
      closed: (id) => void rows.delete(id),
    }
    const faculties = new Faculties(store)
    const live = (from: number, to: number): void => {
      for (let i = from; i < to; i++) {
        const faculty = faculties.of(`session-${i}`, NOW)
        faculty.hear(signal(`m${i}`))
        faculty.keepInMind(bid('work', { text: 'x'.repeat(1000) }), { now: NOW, goal: { about: [] } })
        if (i % 2 === 0) faculty.turn([], turn())
        faculties.close(`session-${i}`)
      }
    }
    const held = (): { heap: number; handles: number } => {
      collect()
      return { heap: process.memoryUsage().heapUsed, handles: process.getActiveResourcesInfo().length }
    }
    live(0, 2000)
    const before = held()
    live(2000, 12_000)
    const after = held()
    expect([faculties.size, rows.size]).toEqual([0, 0])
    expect(after.handles).toBeLessThanOrEqual(before.handles)
    // Kept memories alone would be ten megabytes.
    expect(after.heap - before.heap).toBeLessThan(2_000_000)
  })

  test('leaves no row in the database either', () => {
    const db = temporaryDb()
    const faculties = new Faculties(facultyStore(db))
    for (let i = 0; i < 200; i++) {
      faculties.of(`s${i}`, NOW).hear(signal('m'))
      faculties.close(`s${i}`)
    }
    expect(db.all('SELECT id FROM faculties')).toEqual([])
    expect(db.all('SELECT id FROM faculty_signals')).toEqual([])
  })

  test('keeps in mind what is salient, not what came last', () => {
    const faculty = new Faculty('p', facultyStore(temporaryDb()), NOW)
    const world = { now: NOW, goal: { about: [] } }
    faculty.keepInMind(bid('vital', { lengths: [6000], terms: { relevance: 1, importance: 1 } }), world)
    faculty.keepInMind(bid('chatter', { lengths: [6000], terms: { relevance: 0.1 } }), world)
    const evicted = faculty.keepInMind(bid('useful', { lengths: [6000], terms: { relevance: 0.7 } }), world)
    expect(evicted.map(({ id }) => id)).toEqual(['chatter'])
    expect(faculty.remembered).toBe(2)
  })

  test('never keeps more in mind than fits, and evicts nothing that fits', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 3000 }), { maxLength: 30 }), (lengths) => {
        const entries = lengths.map((length, i) =>
          bid(`b${i}`, { lengths: [length], terms: { relevance: (i % 7) / 7 } }),
        )
        const { kept, evicted } = evict(entries, { capacity: 1000, now: NOW, goal: { about: [] } })
        const held = kept.reduce((sum, { rungs }) => sum + (rungs[0]?.tokens ?? 0), 0)
        expect(held).toBeLessThanOrEqual(1000)
        expect(kept.length + evicted.length).toBe(entries.length)
        const total = entries.reduce((sum, { rungs }) => sum + (rungs[0]?.tokens ?? 0), 0)
        if (total <= 1000) expect(evicted).toEqual([])
      }),
    )
  })

  test('names itself after its parent only', () => {
    expect(facultyId('proxy')).toBe('proxy.attention')
  })
})
