import type { Handle, ItemKind } from '@shared/domain'
import type { ArcLine, CellId, DayBucket, ItemDetail, ItemLine } from '@shared/journal'
import type { SearchResult } from '@shared/recall'
import { create } from 'zustand'
import { type CallError, call, toCallError } from '../client'
import { useApp } from './app'
import { createRemote } from './remote'

export const useDays = createRemote<{ project?: string }, DayBucket[]>(
  async (args) => (await call('timeline.days', args)).days,
)

export const useItem = createRemote<{ handle: Handle }, ItemDetail>((args) => call('items.get', args))

export interface Query {
  text: string
  project?: string
  kind?: ItemKind
  cell?: CellId
  since?: number
}
export const useSearch = createRemote<Query, SearchResult>((query) =>
  call('search.run', { ...query, limit: 200 }),
)

export interface ArcItems {
  items: ItemLine[]
  total: number
  status: 'loading' | 'ready' | 'failed'
}

const arcPage = 100
const itemPage = 200

interface Arcs {
  arcs: ArcLine[]
  total: number
  status: 'idle' | 'loading' | 'ready' | 'failed'
  error: CallError | null
  /** Only arcs that start before this are listed; null lists from the newest. */
  before: number | null
  end: boolean
  open: Record<string, ArcItems>
  /** Asks for the list anew, from the newest or from a day. */
  start(before: number | null): Promise<void>
  more(): Promise<void>
  refresh(): Promise<void>
  toggle(arc: string): Promise<void>
  moreItems(arc: string): Promise<void>
}

const scope = (): { project?: string; cell?: CellId } => {
  const { project } = useApp.getState()
  const { cell } = useTimeline.getState()
  return { ...(project ? { project } : {}), ...(cell ? { cell: cell.id } : {}) }
}

export const useArcs = create<Arcs>((set, get) => {
  let asked = 0

  const page = async (before: number | null, limit: number): Promise<{ arcs: ArcLine[]; total: number }> =>
    call('timeline.arcs', { ...scope(), ...(before === null ? {} : { before }), limit })

  const setItems = (arc: string, items: ArcItems): void => set({ open: { ...get().open, [arc]: items } })

  const loadItems = async (arc: string, limit: number): Promise<void> => {
    try {
      const answer = await call('timeline.items', { arc, offset: 0, limit: Math.min(1000, limit) })
      if (get().open[arc]) setItems(arc, { ...answer, status: 'ready' })
    } catch {
      const had = get().open[arc]
      if (had) setItems(arc, { ...had, status: 'failed' })
    }
  }

  return {
    arcs: [],
    total: 0,
    status: 'idle',
    error: null,
    before: null,
    end: false,
    open: {},
    start: async (before) => {
      const mine = ++asked
      set({ before, status: 'loading', error: null, arcs: [], end: false, open: {} })
      try {
        const { arcs, total } = await page(before, arcPage)
        if (mine === asked) set({ arcs, total, status: 'ready', end: arcs.length < arcPage })
      } catch (thrown) {
        if (mine === asked) set({ status: 'failed', error: toCallError(thrown) })
      }
    },
    more: async () => {
      const { arcs, status, end } = get()
      const last = arcs[arcs.length - 1]
      if (status !== 'ready' || end || !last) return
      const mine = ++asked
      set({ status: 'loading' })
      try {
        const next = await page(last.startedAt, arcPage)
        if (mine !== asked) return
        const known = new Set(arcs.map((arc) => arc.id))
        const fresh = next.arcs.filter((arc) => !known.has(arc.id))
        set({
          arcs: [...arcs, ...fresh],
          status: 'ready',
          end: next.arcs.length < arcPage || fresh.length === 0,
        })
      } catch (thrown) {
        if (mine === asked) set({ status: 'failed', error: toCallError(thrown) })
      }
    },
    refresh: async () => {
      const { before, arcs, status, open } = get()
      if (status === 'idle' || (status === 'loading' && arcs.length === 0)) return
      const mine = ++asked
      // The first pages again; what was paged in below them does not change by what is appended now.
      const limit = Math.min(500, Math.max(arcPage, arcs.length))
      try {
        const head = await page(before, limit)
        if (mine !== asked) return
        const known = new Set(head.arcs.map((arc) => arc.id))
        const floor = head.arcs[head.arcs.length - 1]?.startedAt ?? 0
        const tail =
          head.arcs.length < limit ? [] : arcs.filter((a) => !known.has(a.id) && a.startedAt <= floor)
        set({
          arcs: [...head.arcs, ...tail],
          total: head.total,
          status: 'ready',
          error: null,
          end: head.arcs.length < limit,
        })
      } catch (thrown) {
        if (mine === asked) set({ status: 'failed', error: toCallError(thrown) })
        return
      }
      await Promise.all(
        Object.entries(open).map(([arc, had]) => loadItems(arc, Math.max(itemPage, had.items.length))),
      )
    },
    toggle: async (arc) => {
      if (get().open[arc]) {
        const { [arc]: _, ...rest } = get().open
        return set({ open: rest })
      }
      setItems(arc, { items: [], total: 0, status: 'loading' })
      await loadItems(arc, itemPage)
    },
    moreItems: async (arc) => {
      const had = get().open[arc]
      if (!had || had.status === 'loading' || had.items.length >= had.total) return
      setItems(arc, { ...had, status: 'loading' })
      try {
        const answer = await call('timeline.items', { arc, offset: had.items.length, limit: itemPage })
        const now = get().open[arc]
        if (now)
          setItems(arc, { items: [...had.items, ...answer.items], total: answer.total, status: 'ready' })
      } catch {
        setItems(arc, { ...had, status: 'failed' })
      }
    },
  }
})

interface TimelineView {
  /** The search in words; empty shows the timeline itself. */
  text: string
  kind: ItemKind | null
  days: number | null
  /** Only what stands in this cell, or has to do with it. */
  cell: { id: CellId; name: string } | null
  selected: Handle | null
  select(handle: Handle | null): void
  search(change: Partial<Pick<TimelineView, 'text' | 'kind' | 'days'>>): void
  within(cell: TimelineView['cell']): void
}

export const useTimeline = create<TimelineView>((set, get) => ({
  text: '',
  kind: null,
  days: null,
  cell: null,
  selected: null,
  select: (handle) => {
    set({ selected: handle })
    if (handle) void useItem.getState().load({ handle })
    else useItem.getState().reset()
  },
  search: (change) => {
    // What stood beside the hits of another search has nothing to do with these.
    if (change.text !== undefined && change.text.trim() !== get().text.trim()) get().select(null)
    set(change)
    const { text, kind, days } = get()
    if (text.trim() === '') return useSearch.getState().reset()
    const since = days === null ? {} : { since: Date.now() - days * 86_400_000 }
    void useSearch.getState().load({ text: text.trim(), ...scope(), ...(kind ? { kind } : {}), ...since })
  },
  within: (cell) => {
    set({ cell })
    void useArcs.getState().start(null)
    get().search({})
  },
}))

/** Opens one item in the timeline, from wherever the person is. */
export function openItem(handle: Handle): void {
  useApp.getState().go('timeline')
  useTimeline.getState().select(handle)
}
