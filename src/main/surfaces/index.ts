export { runCli } from './cli/program'
export { hookCommand, installHook, placeOf, removeHook, settingsFile } from './hooks'
export { type EngineCalls, registerIpc } from './ipc'
