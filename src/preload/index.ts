import type { FoveaBridge } from '@shared/bridge'
import { callChannel, callNames, eventChannel, eventNames } from '@shared/channels'
import { contextBridge, type IpcRendererEvent, ipcRenderer } from 'electron'

// Sandboxed: this file is bundled to one CommonJS script and carries no schema. Main validates what it is sent;
// here only the names are checked, so that no other channel can be reached from a page.

const calls = new Set<string>(callNames)
const events = new Set<string>(eventNames)

const bridge: FoveaBridge = {
  call: async (name, input) => {
    if (!calls.has(name)) {
      return {
        ok: false,
        error: {
          code: 'forbidden',
          message: 'This page asked for something that does not exist.',
          retryable: false,
        },
      }
    }
    return await ipcRenderer.invoke(callChannel(name), input)
  },
  on: (event, listener) => {
    if (!events.has(event)) return () => {}
    const forward = (_: IpcRendererEvent, payload: unknown): void => listener(payload)
    ipcRenderer.on(eventChannel(event), forward)
    return () => {
      ipcRenderer.removeListener(eventChannel(event), forward)
    }
  },
}

contextBridge.exposeInMainWorld('fovea', bridge)
