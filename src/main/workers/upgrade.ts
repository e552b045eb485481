import { MessageChannel, type MessagePort, receiveMessageOnPort } from 'node:worker_threads'
import { type ErrorData, fromErrorData } from '../../shared/errors'
import createUpgradeWorker from './upgrade.worker?nodeWorker'

export interface UpgradeData {
  path: string
  /** 0: the thread is not there yet; 1: it works; 2: it has answered. */
  stage: Int32Array
  port: MessagePort
}

export type Upgraded = { ok: true; value: { from: number; to: number } } | { ok: false; error: ErrorData }

/** A machine that is busy with other things may take a while to start a thread. */
const STARTING_MS = 60_000

/**
 * Upgrades the database in a thread that ends with it, and waits. Every text passes through memory, and what that leaves
 * behind in a thread that stays, some hundred megabytes, stays for good.
 * @returns null when no thread could be started; nothing was done then
 * @throws AppError as `migrate` does
 */
export function upgradeInThread(path: string): { from: number; to: number } | null {
  const stage = new Int32Array(new SharedArrayBuffer(4))
  const { port1, port2 } = new MessageChannel()
  const worker = createUpgradeWorker({ workerData: { path, stage, port: port2 }, transferList: [port2] })
  try {
    if (Atomics.wait(stage, 0, 0, STARTING_MS) === 'timed-out') return null
    Atomics.wait(stage, 0, 1)
    const answer = receiveMessageOnPort(port1)?.message as Upgraded
    if (answer.ok) return answer.value
    throw fromErrorData(answer.error)
  } finally {
    port1.close()
    void worker.terminate()
  }
}
