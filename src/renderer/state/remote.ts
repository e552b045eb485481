import { create, type StoreApi, type UseBoundStore } from 'zustand'
import { type CallError, toCallError } from '../client'

/** One thing asked of main: what was asked, what came back, what failed. Late answers to old questions are dropped. */
export interface Remote<A, T> {
  args: A | null
  status: 'idle' | 'loading' | 'ready' | 'failed'
  value: T | null
  error: CallError | null
  /** Asks. A different question forgets the old answer; the same one keeps it on screen until the new one is here. */
  load(args: A): Promise<void>
  /** Asks the last question again, quietly; does nothing when none was asked. */
  refresh(): Promise<void>
  /** Puts an answer in place without asking, for instance one that another call has returned. */
  put(args: A, value: T): void
  reset(): void
}

export type RemoteStore<A, T> = UseBoundStore<StoreApi<Remote<A, T>>>

const blank = { args: null, status: 'idle', value: null, error: null } as const

export function createRemote<A, T>(fetch: (args: A) => Promise<T>): RemoteStore<A, T> {
  let asked = 0
  return create<Remote<A, T>>((set, get) => ({
    ...blank,
    load: async (args) => {
      const mine = ++asked
      const same = JSON.stringify(get().args) === JSON.stringify(args)
      set(same ? { status: 'loading' } : { args, status: 'loading', value: null, error: null })
      try {
        const value = await fetch(args)
        if (mine === asked) set({ status: 'ready', value, error: null })
      } catch (thrown) {
        if (mine === asked) set({ status: 'failed', error: toCallError(thrown) })
      }
    },
    refresh: async () => {
      const { args, load } = get()
      if (args !== null) await load(args)
    },
    put: (args, value) => {
      asked += 1
      set({ args, status: 'ready', value, error: null })
    },
    reset: () => {
      asked += 1
      set(blank)
    },
  }))
}
