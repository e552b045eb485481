import { powerMonitor } from 'electron'
import type { PowerPort } from '../engine'

/** Linux tells no change, so it is looked at as well; one flag each minute. */
const LOOK_MS = 60_000

/** What the machine runs on, as Electron tells it. Call it when the app is ready. */
export function watchPower(): PowerPort {
  return {
    onBattery: () => powerMonitor.isOnBatteryPower(),
    onChange: (listener) => {
      let before = powerMonitor.isOnBatteryPower()
      const look = (): void => {
        const now = powerMonitor.isOnBatteryPower()
        if (now !== before) listener(now)
        before = now
      }
      powerMonitor.on('on-ac', look)
      powerMonitor.on('on-battery', look)
      const timer = setInterval(look, LOOK_MS)
      return () => {
        clearInterval(timer)
        powerMonitor.off('on-ac', look)
        powerMonitor.off('on-battery', look)
      }
    },
  }
}
