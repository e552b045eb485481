export { installHook, placeOf, removeHook, settingsFile } from './claude-settings'
export { hookCommand } from './command'
export { type HookAnswer, memoryHook } from './memory-hook'
