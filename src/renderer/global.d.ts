import type { FoveaBridge } from '../preload/bridge'

declare global {
  interface Window {
    readonly fovea: FoveaBridge
  }
}
