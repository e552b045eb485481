export { runCli } from './cli/program'
export { type EngineCalls, registerIpc } from './ipc'
