import { z } from 'zod'
import { modelCallSql, type ReadDb, settingsSql, type WriteDb } from '../../store'

// One process at a time asks: several may have the memory open, and each would pay for the same.

const KEY = 'model.lease'
/** Longer than a call with its two tries and the loading before them. */
const HELD_MS = 20 * 60_000

const Lease = z.object({ owner: z.string(), pid: z.number().int(), until: z.number() })

/** Takes the lease or renews it. What a process that is gone had under way is put back. @returns whether it is ours */
export function holdLease(db: WriteDb, owner: string, now: number): boolean {
  const own = readLease(db)
  if (own?.owner === owner && own.until - now > HELD_MS / 2) return true
  return db.transaction(() => {
    const held = readLease(db)
    if (held && held.owner !== owner && now < held.until && isAlive(held.pid)) return false
    if (held?.owner !== owner) modelCallSql.interruptOpenCalls(db, now)
    settingsSql.writeMeta(db, KEY, JSON.stringify({ owner, pid: process.pid, until: now + HELD_MS }))
    return true
  })
}

export function releaseLease(db: WriteDb, owner: string): void {
  db.transaction(() => {
    if (readLease(db)?.owner === owner) settingsSql.writeMeta(db, KEY, '')
  })
}

/** Whether a process that lives holds it, and not we. */
export function leaseElsewhere(db: ReadDb, owner: string, now: number): boolean {
  const held = readLease(db)
  return held !== null && held.owner !== owner && now < held.until && isAlive(held.pid)
}

function readLease(db: ReadDb): z.infer<typeof Lease> | null {
  try {
    return Lease.parse(JSON.parse(settingsSql.readMeta(db, KEY) ?? ''))
  } catch {
    return null
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Somebody else's process.
    return (error as { code?: string }).code === 'EPERM'
  }
}
