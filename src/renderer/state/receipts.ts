import type { StoredTrace } from '@shared/attention'
import type { CallOutput } from '@shared/contract'
import type { Handle, ReceiptId } from '@shared/domain'
import type { Plane, Receipt, ReceiptLine } from '@shared/recall'
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
/** The faculty's account of a prediction's context; frames of recall have none. */
export const useTrace = createRemote<{ receipt: ReceiptId }, StoredTrace>((args) => call('traces.get', args))
/** A pass of the proxy, not a frame that was asked for. */
export const isPass = (receipt: Receipt): boolean => receipt.request.viewer === 'proxy'
export const useReplay = createRemote<{ id: ReceiptId }, CallOutput<'receipts.replay'>>((args) =>
  call('receipts.replay', args),
)

interface ReceiptDesk {
  goal: string
  plane: string
  /** Tokens; null takes the plane's own budget. */
  budget: number | null
  rendering: boolean
  error: CallError | null
  fact: Handle | null
  /** The bid that is looked at, in a prediction's trace. */
  bid: string | null
  view: 'facts' | 'frame'
  edit(change: Partial<Pick<ReceiptDesk, 'goal' | 'plane' | 'budget' | 'view'>>): void
  render(): Promise<void>
  openReceipt(id: ReceiptId): Promise<void>
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
  edit: (change) => set(change),
  render: async () => {
    const { goal, plane, budget, rendering } = get()
    if (goal.trim() === '' || rendering) return
    const { project } = useApp.getState()
    set({ rendering: true, error: null })
    try {
      const result = await call('hydrate.run', {
        goal: goal.trim(),
        plane,
        ...(budget === null ? {} : { budget }),
        ...(project ? { project } : {}),
      })
      useReplay.getState().reset()
      useReceipt.getState().put({ id: result.receipt.id }, result)
      set({ rendering: false, fact: byDetail(result.receipt.facts)[0]?.handle ?? null })
      await useReceiptList.getState().load({})
    } catch (thrown) {
      set({ rendering: false, error: toCallError(thrown) })
    }
  },
  openReceipt: async (id) => {
    useReplay.getState().reset()
    useTrace.getState().reset()
    set({ fact: null, bid: null, error: null })
    await useReceipt.getState().load({ id })
    const receipt = useReceipt.getState().value?.receipt
    if (receipt?.id !== id) return
    if (isPass(receipt)) return useTrace.getState().load({ receipt: id })
    set({
      fact: byDetail(receipt.facts)[0]?.handle ?? null,
      goal: receipt.request.goal,
      plane: receipt.request.plane,
    })
  },
  back: () => {
    useReceipt.getState().reset()
    useReplay.getState().reset()
    set({ fact: null, error: null })
  },
  selectFact: (fact) => set({ fact }),
  selectBid: (bid) => set({ bid }),
}))

/** Opens one receipt, from wherever the person is. */
export function openReceipt(id: ReceiptId): void {
  useApp.getState().go('receipts')
  void useReceipts.getState().openReceipt(id)
}
