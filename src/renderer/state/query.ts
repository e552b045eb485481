import type { QueryResult } from '@shared/logic'
import { create } from 'zustand'
import { type CallError, call, toCallError } from '../client'
import { useApp } from './app'

/** Answers asked for at first, and when there are more. */
const few = 100
const most = 1000

interface QueryDesk {
  goal: string
  /** The goal the answers belong to. */
  asked: string | null
  running: boolean
  result: QueryResult | null
  error: CallError | null
  /** The person ended it before it had its answers. */
  stopped: boolean
  edit(goal: string): void
  run(): Promise<void>
  /** The same goal again, up to the most answers one query gives. */
  all(): Promise<void>
  /** Ends the query that runs. */
  stop(): Promise<void>
}

export const useQuery = create<QueryDesk>((set, get) => {
  const ask = async (goal: string, limit: number): Promise<void> => {
    if (goal.trim() === '' || get().running) return
    // Under another question the old answers would read as its own.
    set({
      running: true,
      error: null,
      stopped: false,
      ...(goal === get().asked ? {} : { result: null, asked: null }),
    })
    try {
      const result = await call('query.run', { goal, limit })
      set({ running: false, stopped: false, result, asked: goal })
    } catch (thrown) {
      const error = toCallError(thrown)
      // Ending it was asked for, and is no failure; answers it had before stay.
      if (get().stopped && error.code === 'cancelled') set({ running: false, asked: goal })
      else set({ running: false, stopped: false, result: null, asked: goal, error })
    }
  }
  return {
    goal: '',
    asked: null,
    running: false,
    result: null,
    error: null,
    stopped: false,
    edit: (goal) => set({ goal }),
    run: () => ask(get().goal, few),
    all: () => ask(get().asked ?? '', most),
    stop: async () => {
      set({ stopped: true })
      await call('query.stop', {}).catch((thrown) =>
        useApp.getState().say(toCallError(thrown).message, 'red'),
      )
    },
  }
})
