import type { FoveaBridge } from '@shared/bridge'

declare global {
  interface Window {
    readonly fovea: FoveaBridge
  }
}
