import { writeSync } from 'node:fs'
import { takeTurn } from '../../../src/main/gates'
import { newReceiptId } from '../../../src/main/hydration'
import { LiveAttention, wrap } from '../../../src/main/journal'
import { countTokens, noEmbedder } from '../../../src/main/models'
import { openRead, openWrite } from '../../../src/main/store'
import { TurnRequest } from '../../../src/shared/turn'

// A session that goes on failing, heard of as it is watched, with a turn taken now and then.
// node turn-killed-child.js DB T0

const [path = '', start = ''] = process.argv.slice(2)
const db = openWrite(path)
const read = openRead(path)
const SESSION = 'claude-code:killed'
const T0 = Number(start)
let position = db.get<{ n: number }>('SELECT coalesce(max(position), 0) AS n FROM items')?.n ?? 0
const now = (): number => T0 + position * 500
const attention = new LiveAttention(db, now, () => true)
const ports = {
  read,
  write: db,
  embedder: noEmbedder('no model in this test'),
  clock: now,
  receiptId: newReceiptId,
  wrap,
  countTokens,
}
writeSync(1, 'START\n')
for (;;) {
  position += 1
  db.run(
    `INSERT INTO items (handle, kind, session_id, position, ts, project, text, chars, data, file_path, line,
       byte_offset, byte_length, record_hash) VALUES (?, ?, ?, ?, ?, 'shop', 'x', 1, ?, '/t', 1, 0, 1, 'h')`,
    [
      `itm_${position.toString(2).padStart(26, '0').replaceAll('0', 'a').replaceAll('1', 'b')}`,
      position % 4 === 1 ? 'goal' : 'command',
      SESSION,
      position,
      now(),
      JSON.stringify({ command: `step ${position}`, failed: position % 4 !== 3 }),
    ],
  )
  attention.changed([SESSION])
  if (position % 3 === 0) await takeTurn(ports, TurnRequest.parse({ session: SESSION, budget: 20_000 }))
}
