import type { GateId, Handle, ReceiptId } from '@shared/domain'

// Invented ids, times and places; the same on each run.

const letters = 'abcdefghijklmnopqrstuvwxyz234567'
const id = (prefix: string, n: number, length: number): string =>
  prefix +
  Array.from({ length }, (_, i) => letters[(Math.imul(n + 1, 0x9e3779b1 + i * 0x85ebca6b) >>> 20) % 32]).join(
    '',
  )
export const handle = (n: number): Handle => id('itm_', n, 26) as Handle
export const receiptId = (n: number): ReceiptId => id('rcp_', n, 20) as ReceiptId
export const gateId = (n: number): GateId => id('gat_', n, 20) as GateId

export const today = new Date(2026, 10, 26, 16, 20).getTime()
export const at = (daysAgo: number, hour: number, minute: number): number =>
  new Date(2026, 10, 26 - daysAgo, hour, minute).getTime()
export const dayOf = (ms: number): string => {
  const d = new Date(ms)
  return `${d.getFullYear()}-${String(d.getMonth() + 1).padStart(2, '0')}-${String(d.getDate()).padStart(2, '0')}`
}

export const pointer = (line: number) => ({
  file: '/home/mira/.claude/projects/-srv-shop-api/7b1d2c44-90aa-4c1e-b1f0-3f6a2f0b9e21.jsonl',
  recordId: 'a81f3d52',
  line,
  byteOffset: line * 2881,
  byteLength: 2210,
})
