import type { GateAction, TaskType } from '@shared/domain'
import type { GateDetail, GateLine } from '@shared/review'
import { create } from 'zustand'
import { call, toCallError } from '../client'
import { attempt, useApp } from './app'
import { createRemote } from './remote'

export interface GateQueue {
  open: GateLine[]
  decided: GateLine[]
}

/** Open gates oldest first, because someone waits for them; decided ones newest first. */
export function queueOf(gates: readonly GateLine[]): GateQueue {
  const open = gates.filter((gate) => gate.status === 'open').sort((a, b) => a.createdAt - b.createdAt)
  const decided = gates.filter((gate) => gate.status !== 'open').sort((a, b) => b.createdAt - a.createdAt)
  return { open, decided }
}

export const useQueue = createRemote<{ project?: string }, GateQueue>(async (args) =>
  queueOf((await call('gates.list', args)).gates),
)

/** A gate with its prediction sealed, and shown at once when the person has switched blind review off. */
export const useGate = createRemote<{ id: GateLine['id'] }, GateDetail>(async ({ id }) => {
  const gate = await call('gates.show', { id })
  if (gate.status !== 'open' || (gate.prediction && (useApp.getState().blind || gate.prediction.revealed))) {
    return gate
  }
  try {
    const reveal = !useApp.getState().blind
    const prediction = await call('gates.predict', { id, reveal })
    // A look at the numbers uncovers more than the prediction.
    return reveal ? await call('gates.show', { id }) : { ...gate, prediction }
  } catch (thrown) {
    // A gate can be reviewed without a prediction; the reason is said, nothing is blocked.
    useApp.getState().say(toCallError(thrown).message, 'red')
    return gate
  }
})

interface GateDesk {
  selected: GateLine['id'] | null
  notes: string
  deciding: boolean
  select(id: GateLine['id'] | null): Promise<void>
  type(notes: string): void
  flush(): Promise<void>
  peek(): Promise<void>
  setTaskType(taskType: TaskType): Promise<void>
  decide(action: GateAction): Promise<void>
}

const draftDelay = 250

export const useDesk = create<GateDesk>((set, get) => {
  let timer: ReturnType<typeof setTimeout> | undefined
  let unsaved: { id: GateLine['id']; text: string } | null = null

  const flush = async (): Promise<void> => {
    clearTimeout(timer)
    const draft = unsaved
    unsaved = null
    if (draft) await attempt(() => call('gates.draft', draft))
  }

  return {
    selected: null,
    notes: '',
    deciding: false,
    select: async (id) => {
      if (id === get().selected) return
      const flushed = flush()
      set({ selected: id, notes: '' })
      await flushed
      if (!id) return useGate.getState().reset()
      await useGate.getState().load({ id })
      const gate = useGate.getState().value
      // The person may have begun to type, or moved on, while the gate was on its way.
      if (gate && gate.id === get().selected && get().notes === '') set({ notes: gate.draft })
    },
    type: (notes) => {
      const id = get().selected
      set({ notes })
      if (!id) return
      unsaved = { id, text: notes }
      clearTimeout(timer)
      timer = setTimeout(() => void flush(), draftDelay)
    },
    flush,
    peek: async () => {
      const { id, gate } = current()
      if (!id || !gate) return
      const seen = await attempt(async () => {
        await call('gates.predict', { id, reveal: true })
        return call('gates.show', { id })
      })
      if (seen && get().selected === id) useGate.getState().put({ id }, seen)
    },
    setTaskType: async (taskType) => {
      const { id, gate } = current()
      if (!id || !gate) return
      const line = await attempt(() => call('gates.setTaskType', { id, taskType }))
      if (line && get().selected === id) useGate.getState().put({ id }, { ...gate, ...line })
    },
    decide: async (action) => {
      const { id, gate } = current()
      if (!id || gate?.status !== 'open' || get().deciding) return
      set({ deciding: true })
      await flush()
      const decided = await attempt(() =>
        call('gates.decide', { id, action, notes: get().notes, via: 'app' }),
      )
      set({ deciding: false })
      if (!decided) return
      if (get().selected === id) useGate.getState().put({ id }, decided)
      await useQueue.getState().refresh()
    },
  }

  function current(): { id: GateLine['id'] | null; gate: GateDetail | null } {
    const gate = useGate.getState().value
    const id = get().selected
    return gate?.id === id ? { id, gate } : { id, gate: null }
  }
})
