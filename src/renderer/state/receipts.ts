import type { StoredTrace, TraceId, TraceLine } from '@shared/attention'
import type { CallOutput } from '@shared/contract'
import type { Handle, ReceiptId } from '@shared/domain'
import type { Comparison, LastTry, Plane, Receipt, ReceiptLine } from '@shared/recall'
import { create } from 'zustand'
import { type CallError, call, toCallError } from '../client'
import { byDetail } from '../lib/fact-order'
import { useApp } from './app'
import { createRemote } from './remote'

export const usePlanes = createRemote<Record<string, never>, Plane[]>(
  async () => (await call('planes.list', {})).planes,
)
export const useReceiptList = createRemote<Record<string, never>, ReceiptLine[]>(
  async () => (await call('receipts.list', { limit: 500 })).receipts,
)
export const useReceipt = createRemote<{ id: ReceiptId }, { receipt: Receipt; frame: string }>((args) =>
  call('receipts.get', args),
)
/** The faculty's account of a context it put together; frames of recall alone have none. */
export const useTrace = createRemote<{ receipt: ReceiptId } | { id: TraceId }, StoredTrace>((args) =>
  call('traces.get', args),
)
/** The newest prompts to a language model; they have a trace and no receipt. */
export const usePrompts = createRemote<Record<string, never>, TraceLine[]>(
  async () => (await call('traces.list', { ofModel: true, limit: 500 })).traces,
)
const ofTurn = (plane: string): boolean => plane.startsWith('turn:')
/** Put together by a faculty, for a prediction or an agent's turn: everything that bid for it is in its trace. */
export const hasTrace = (receipt: Receipt): boolean =>
  receipt.request.viewer === 'proxy' || ofTurn(receipt.request.plane)
/** The same of a line in the list. */
export const isTraced = ({ kind, plane }: ReceiptLine): boolean => kind === 'prediction' || ofTurn(plane)

/** Two traces beside each other, the older one on the left. */
export interface TracePair {
  before: StoredTrace
  after: StoredTrace
}
export const useTracePair = createRemote<{ before: ReceiptId; after: ReceiptId }, TracePair>(
  async ({ before, after }) => ({
    before: await call('traces.get', { receipt: before }),
    after: await call('traces.get', { receipt: after }),
  }),
)
export const useReplay = createRemote<{ id: ReceiptId }, CallOutput<'receipts.replay'>>((args) =>
  call('receipts.replay', args),
)
export const useComparison = createRemote<{ before: ReceiptId; after: ReceiptId }, Comparison>((args) =>
  call('receipts.compare', args),
)
export const useLastTry = createRemote<{ text: string; project?: string }, LastTry>((args) =>
  call('lastTry.run', { ...args, limit: 10 }),
)

interface ReceiptDesk {
  goal: string
  plane: string
  /** Tokens; null takes the plane's own budget. */
  budget: number | null
  rendering: boolean
  error: CallError | null
  fact: Handle | null
  /** The bid that is looked at, in a trace or in two. */
  bid: string | null
  view: 'facts' | 'frame'
  /** What the list shows: receipts, or the prompts that went to a language model. */
  list: 'receipts' | 'prompts'
  /** The receipt another one is being chosen for, to stand beside it. */
  comparing: Receipt | null
  edit(change: Partial<Pick<ReceiptDesk, 'goal' | 'plane' | 'budget' | 'view' | 'list'>>): void
  render(): Promise<void>
  openReceipt(id: ReceiptId): Promise<void>
  /** The trace of a prompt to a model. */
  openPrompt(id: TraceId): Promise<void>
  /** Back to the list, to choose the receipt that `first` is compared with. */
  chooseOther(first: Receipt): void
  /** The chosen one beside the first, the older one on the left. */
  compareWith(other: ReceiptLine): Promise<void>
  /** When the goal in the box was last pursued, and what came of it. */
  askLastTry(): Promise<void>
  back(): void
  selectFact(handle: Handle | null): void
  selectBid(bid: string): void
}

export const useReceipts = create<ReceiptDesk>((set, get) => ({
  goal: '',
  plane: 'execution',
  budget: null,
  rendering: false,
  error: null,
  fact: null,
  bid: null,
  view: 'facts',
  list: 'receipts',
  comparing: null,
  edit: (change) => set(change),
  render: async () => {
    const { goal, plane, budget, rendering } = get()
    if (goal.trim() === '' || rendering) return
    const { project } = useApp.getState()
    closeAll()
    set({ rendering: true, error: null, comparing: null })
    try {
      const result = await call('hydrate.run', {
        goal: goal.trim(),
        plane,
        ...(budget === null ? {} : { budget }),
        ...(project ? { project } : {}),
      })
      useReceipt.getState().put({ id: result.receipt.id }, result)
      set({ rendering: false, fact: byDetail(result.receipt.facts)[0]?.handle ?? null })
      await useReceiptList.getState().load({})
    } catch (thrown) {
      set({ rendering: false, error: toCallError(thrown) })
    }
  },
  openReceipt: async (id) => {
    closeAll()
    set({ fact: null, bid: null, error: null, comparing: null })
    await useReceipt.getState().load({ id })
    const receipt = useReceipt.getState().value?.receipt
    if (receipt?.id !== id) return
    if (hasTrace(receipt)) return useTrace.getState().load({ receipt: id })
    set({
      fact: byDetail(receipt.facts)[0]?.handle ?? null,
      goal: receipt.request.goal,
      plane: receipt.request.plane,
      budget: receipt.request.budget,
    })
  },
  openPrompt: async (id) => {
    closeAll()
    set({ fact: null, bid: null, error: null, comparing: null })
    await useTrace.getState().load({ id })
  },
  chooseOther: (first) => {
    closeAll()
    set({ comparing: first, fact: null, error: null })
  },
  compareWith: async (other) => {
    const first = get().comparing
    if (first === null) return
    const [before, after] = first.createdAt <= other.createdAt ? [first.id, other.id] : [other.id, first.id]
    set({ comparing: null, fact: null, bid: null })
    const pair = hasTrace(first) ? useTracePair : useComparison
    await pair.getState().load({ before, after })
  },
  askLastTry: async () => {
    const text = get().goal.trim()
    if (text === '') return
    closeAll()
    set({ fact: null, error: null, comparing: null })
    const { project } = useApp.getState()
    await useLastTry.getState().load({ text, ...(project ? { project } : {}) })
    // The question left a receipt of its own.
    await useReceiptList.getState().load({})
  },
  back: () => {
    closeAll()
    set({ fact: null, error: null, comparing: null })
  },
  selectFact: (fact) => set({ fact }),
  selectBid: (bid) => set({ bid }),
}))

/** Whatever is open in the workspace is put away, so that one thing is shown at a time. */
function closeAll(): void {
  for (const store of [useReceipt, useTrace, useReplay, useComparison, useTracePair, useLastTry])
    store.getState().reset()
}

/** Opens one receipt, from wherever the person is. */
export function openReceipt(id: ReceiptId): void {
  useApp.getState().go('receipts')
  void useReceipts.getState().openReceipt(id)
}
