import { type MessagePort, workerData } from 'node:worker_threads'
import { toErrorData } from '../../shared/errors'
import { migrate, openWrite } from '../store'
import type { UpgradeData, Upgraded } from './upgrade'

// Brings an older database up to date, in a thread of its own that ends then: see `upgradeInThread`.

const { path, stage, port } = workerData as UpgradeData & { port: MessagePort }

function tell(to: number): void {
  Atomics.store(stage, 0, to)
  Atomics.notify(stage, 0)
}

function upgraded(): Upgraded {
  try {
    const db = openWrite(path)
    try {
      return { ok: true, value: migrate(db) }
    } finally {
      db.close()
    }
  } catch (error) {
    return { ok: false, error: toErrorData(error) }
  }
}

tell(1)
port.postMessage(upgraded())
tell(2)
