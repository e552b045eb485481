import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { exportBundle } from '../../../src/main/sharing'
import { openRead, type WriteDb } from '../../../src/main/store'
import { temporaryDb, temporaryFolder } from '../../support'

const VERBATIM =
  'The person wrote this very long and private sentence about the salary webhook of the company.'

function journal(): WriteDb {
  const db = temporaryDb()
  db.run(`INSERT INTO sessions (id, native_id, agent, project, started_at, ended_at)
          VALUES ('claude-code:secret-host', 'secret-host', 'claude-code', 'shop', 1, 2)`)
  const item = (n: number, project: string, labels: string): void => {
    const handle = `itm_${String.fromCharCode(96 + n).repeat(26)}`
    db.run(
      `INSERT INTO items (handle, kind, session_id, position, ts, project, text, chars, file_path, line, byte_offset,
         byte_length, record_hash, labels)
       VALUES (?, 'conclusion', 'claude-code:secret-host', ?, ?, ?, ?, 10, '/home/ann/x.jsonl', 1, 0, 1, 'h', ?)`,
      [handle, n, n, project, VERBATIM, labels],
    )
    for (const level of ['L1', 'L2', 'L3']) {
      db.run(
        `INSERT INTO rungs (subject, level, text, method, version, tokens, created_at) VALUES (?, ?, ?, 'rule', 1, 3, 0)`,
        [handle, level, `${level} of item ${n} with token sk-live-0001 in /Users/ann/app.ts`],
      )
    }
  }
  item(1, 'shop', '[]')
  item(2, 'shop', '["private"]')
  item(3, 'other', '[]')
  return db
}

function ports(db: WriteDb) {
  const read = openRead(db.path)
  let id = 0
  return {
    read,
    write: db,
    clock: () => 1_700_000_000_000,
    newId: () => `bun_${++id}`,
    redact: (text: string) => ({
      text: text.replace('sk-live-0001', '[secret:test:0000]'),
      masked: text.includes('sk-live') ? 1 : 0,
    }),
  }
}

describe('an export', () => {
  test('holds nothing finer than its ceiling, no path and no native session id', () => {
    const db = journal()
    const out = join(temporaryFolder(), 'shared.jsonl')
    const report = exportBundle({ out, ceiling: 'L2', project: 'shop' }, ports(db))
    const text = readFileSync(out, 'utf8')
    expect(report).toMatchObject({ items: 1, restricted: 1, ceiling: 'L2', masked: 2 })
    expect(text).not.toContain(VERBATIM)
    expect(text).not.toContain('L1 of item')
    expect(text).not.toContain('/home/ann')
    expect(text).not.toContain('secret-host')
    expect(text).not.toContain('/Users/ann')
    expect(text).toContain('~/app.ts')
    expect(text).not.toContain('sk-live-0001')
    expect(text).toContain('L2 of item 1')
    expect(text).not.toContain('item 2')
    expect(text).not.toContain('item 3')
  })

  test('is sealed: the hash in its last line is that of everything before it', () => {
    const db = journal()
    const out = join(temporaryFolder(), 'shared.jsonl')
    const { sha256 } = exportBundle({ out, ceiling: 'L0' }, ports(db))
    const lines = readFileSync(out, 'utf8').trimEnd().split('\n')
    const seal = JSON.parse(lines.at(-1) ?? '')
    const body = `${lines.slice(0, -1).join('\n')}\n`
    expect(seal).toEqual({ type: 'seal', items: 2, arcs: 0, sha256 })
    expect(createHash('sha256').update(body).digest('hex')).toBe(sha256)
    expect(db.all('SELECT id, items, ceiling FROM exports')).toEqual([
      { id: 'bun_1', items: 2, ceiling: 'L0' },
    ])
  })

  test('writes over an earlier bundle, never over anything else', () => {
    const db = journal()
    const folder = temporaryFolder()
    const io = ports(db)
    const out = join(folder, 'shared.jsonl')
    exportBundle({ out, ceiling: 'L3' }, io)
    exportBundle({ out, ceiling: 'L3' }, io)
    const mine = join(folder, 'thesis.txt')
    writeFileSync(mine, 'years of work')
    expect(() => exportBundle({ out: mine, ceiling: 'L3' }, io)).toThrow(
      expect.objectContaining({ code: 'conflict' }),
    )
    expect(readFileSync(mine, 'utf8')).toBe('years of work')
    expect(() => exportBundle({ out: folder, ceiling: 'L3' }, io)).toThrow(
      expect.objectContaining({ code: 'conflict' }),
    )
  })

  test('leaves nothing behind when it fails half way', () => {
    const db = journal()
    const folder = temporaryFolder()
    const io = {
      ...ports(db),
      redact: () => {
        throw new Error('disk full')
      },
    }
    const out = join(folder, 'shared.jsonl')
    expect(() => exportBundle({ out, ceiling: 'L2' }, io)).toThrow(
      expect.objectContaining({ code: 'unreadable' }),
    )
    expect(existsSync(out)).toBe(false)
    expect(readdirSync(folder)).toEqual([])
  })

  test('of a folder that does not exist says so in a sentence', () => {
    const db = journal()
    const out = join(temporaryFolder(), 'nowhere', 'shared.jsonl')
    expect(() => exportBundle({ out, ceiling: 'L2' }, ports(db))).toThrow(/cannot be written/)
  })
})
