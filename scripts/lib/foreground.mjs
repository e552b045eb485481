import { spawn } from 'node:child_process'
import { constants } from 'node:os'

/**
 * Runs a command in the person's terminal and resolves to its exit code. Ctrl-C reaches the command through
 * the terminal and is left to it; a signal sent to this process alone is passed on.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd: string, env: NodeJS.ProcessEnv, stdio?: import('node:child_process').StdioOptions }} options
 * @returns {Promise<number>}
 */
export function inForeground(command, args, { cwd, env, stdio = 'inherit' }) {
  return new Promise((done, fail) => {
    const child = spawn(command, args, { cwd, env, stdio })
    let interrupts = 0
    // A child that ignores two of them is ended by the third.
    const interrupt = () =>
      ++interrupts > 2 ? child.kill('SIGKILL') : process.stdin.isTTY || child.kill('SIGINT')
    const terminate = () => child.kill('SIGTERM')
    process.on('SIGINT', interrupt)
    process.on('SIGTERM', terminate)
    const end = () => {
      process.off('SIGINT', interrupt)
      process.off('SIGTERM', terminate)
    }
    child.once('error', (error) => {
      end()
      fail(error)
    })
    child.once('close', (code, signal) => {
      end()
      done(code ?? 128 + (constants.signals[signal] ?? 0))
    })
  })
}
