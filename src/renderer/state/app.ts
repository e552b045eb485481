import type { FacultySettings } from '@shared/attention'
import type { HookSettings } from '@shared/hooks'
import type { ModelSettings } from '@shared/models'
import { create } from 'zustand'
import { call, toCallError } from '../client'

export type Workspace = 'gates' | 'timeline' | 'receipts' | 'query' | 'settings'
export type Theme = 'system' | 'light' | 'dark'
export type Overlay = 'palette' | 'keys' | 'add-gate' | 'add-source' | null

export interface Toast {
  id: number
  tone: 'plain' | 'red'
  text: string
  /** What it tells of: what is said of the same later takes its place. */
  about: string | null
}

interface AppState {
  workspace: Workspace
  /** The project everything is narrowed to; null is all of them. */
  project: string | null
  theme: Theme
  blind: boolean
  /** Null until the settings are read. */
  faculty: FacultySettings | null
  models: ModelSettings | null
  hooks: HookSettings | null
  overlay: Overlay
  toasts: Toast[]
  /** `welcome` until there is a source, or the person goes on without one. */
  phase: 'starting' | 'welcome' | 'ready'
  enter(phase: 'welcome' | 'ready'): void
  go(workspace: Workspace): void
  setProject(project: string | null): void
  open(overlay: Overlay): void
  close(): void
  loadSettings(): Promise<void>
  saveSettings(change: {
    theme?: Theme
    blind?: boolean
    faculty?: Partial<FacultySettings>
    models?: Partial<ModelSettings>
    hooks?: Partial<HookSettings>
  }): Promise<void>
  say(text: string, tone?: Toast['tone'], about?: string): void
  dismiss(id: number): void
}

const keepToasts = 3

export const useApp = create<AppState>((set, get) => {
  let nextToast = 1
  return {
    workspace: 'gates',
    project: null,
    theme: 'system',
    blind: true,
    faculty: null,
    models: null,
    hooks: null,
    overlay: null,
    toasts: [],
    phase: 'starting',
    enter: (phase) => set({ phase }),
    go: (workspace) => set({ workspace, overlay: null }),
    setProject: (project) => set({ project }),
    open: (overlay) => set({ overlay }),
    close: () => set({ overlay: null }),
    loadSettings: async () => {
      try {
        set(await call('settings.get', {}))
      } catch (thrown) {
        get().say(toCallError(thrown).message, 'red')
      }
    },
    saveSettings: async (change) => {
      const { theme, blind, faculty, models, hooks } = get()
      const before = { theme, blind, faculty, models, hooks }
      set({
        ...change,
        faculty: faculty && { ...faculty, ...change.faculty },
        models: models && { ...models, ...change.models },
        hooks: hooks && { ...hooks, ...change.hooks },
      })
      try {
        set(await call('settings.set', change))
      } catch (thrown) {
        set(before)
        get().say(toCallError(thrown).message, 'red')
      }
    },
    say: (text, tone = 'plain', about) => {
      const toast = { id: nextToast, tone, text, about: about ?? null }
      nextToast += 1
      const others = get().toasts.filter((one) => one.about === null || one.about !== about)
      set({ toasts: [...others, toast].slice(-keepToasts) })
    },
    dismiss: (id) => set({ toasts: get().toasts.filter((toast) => toast.id !== id) }),
  }
})

/** Runs something the person asked for and says its failure aloud; answers undefined then. */
export async function attempt<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (thrown) {
    useApp.getState().say(toCallError(thrown).message, 'red')
    return undefined
  }
}
