import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import {
  type EnvelopeKey,
  envelopeKey,
  keyProblem,
  makeRedactor,
  noKey,
  type Receipts,
  signedWrap,
  strip,
} from '../../../src/main/journal'
import { countTokens } from '../../../src/main/models'
import { temporaryFolder } from '../../support'
import { builtChild } from './built-child'
import { disguisesOf } from './disguises'

const info = { source: 'fovea', receipt: 'rcp_abcdefghijklmnop' }
const inner = 'ZEBRA remembers\n- a "quoted" fact\n- <b>another</b> & more'

function keyIn(folder: string): { key: EnvelopeKey; told: string[] } {
  const told: string[] = []
  return { key: envelopeKey(folder, (sentence) => told.push(sentence)), told }
}

/** Another data folder of the key's owner: it knows no receipt. */
function elsewhere(key: EnvelopeKey): Receipts & { strangers: number } {
  return {
    strangers: 0,
    known: (receipt, chars, mac) => key.signed(receipt, chars, mac),
    kept(receipts) {
      this.strangers += receipts
    },
  }
}

/** A folder for the tests of a table, which is made before any of them runs. */
function folderOfTable(): string {
  const folder = mkdtempSync(join(tmpdir(), 'fovea-test-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

describe('an envelope that the person’s key signed', () => {
  const folder = folderOfTable()
  const key = keyIn(folder).key
  const frame = signedWrap(key)(info, inner)
  const there = (text: string): string => strip(text, elsewhere(keyIn(folder).key))

  const disguises = disguisesOf(frame, signedWrap(key)(info, `${inner}\n${frame}\n${inner}`))
  test.each(Object.entries(disguises))(
    'is stripped by each of their data folders: %s',
    (_name, disguised) => {
      const out = there(`before\n${disguised}\nafter`)
      expect(out).not.toMatch(/ZEBRA|fovea:|quoted|another/)
      expect(out).toContain('before')
      expect(out).toContain('after')
    },
  )

  test('is stripped wherever it is cut', () => {
    for (let at = 0; at <= frame.length; at++) {
      if (at > frame.indexOf(']]') + 2)
        expect(there(`before\n${frame.slice(0, at)}`)).toMatch(/^before\n?\S{0,9}$/)
      if (at < frame.lastIndexOf('[[fovea:'))
        expect(there(`${frame.slice(at)}\nafter`), String(at)).toBe('after')
    }
  })

  test('leaves nothing of whatever it wraps, however often', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), fc.integer({ min: 1, max: 5 }), (text, times) => {
        let wrapped = `${text} ZEBRA`
        for (let n = 0; n < times; n++) wrapped = signedWrap(key)(info, wrapped)
        expect(there(`a ${wrapped} b`).replace(/\s+/g, ' ')).toBe('a b')
      }),
    )
  })

  const mac = / mac=(\d+)/.exec(frame)?.[1] ?? ''
  const forgeries: Record<string, string> = {
    'no mark': frame.replaceAll(` mac=${mac}`, ''),
    'another mark': frame.replaceAll(
      mac,
      mac.replace(/\d/, (digit) => String((Number(digit) + 1) % 10)),
    ),
    'a shorter mark': frame.replaceAll(mac, mac.slice(0, 6)),
    'a longer mark': frame.replaceAll(mac, `${mac}0`),
    'the mark of no key': frame.replaceAll(mac, '0'.repeat(mac.length)),
    'the mark of another key': signedWrap(keyIn(folderOfTable()).key)(info, inner),
    'another receipt': frame.replaceAll(info.receipt, 'rcp_other'),
    'a larger length': frame.replaceAll(`chars=${inner.length}`, 'chars=4000'),
    'a smaller length': frame.replaceAll(`chars=${inner.length}`, 'chars=5'),
  }
  const forms: Record<string, (text: string) => string> = {
    plain: (text) => text,
    quoted: (text) => text.replace(/^/gm, '> '),
    'JSON-escaped': (text) => JSON.stringify(text),
    'within a signed one': (text) => `${frame}${text}${frame}`,
  }
  test.each(Object.entries(forgeries))('is somebody’s text with %s', (_name, forged) => {
    for (const form of Object.values(forms)) {
      const receipts = elsewhere(key)
      const out = strip(`before\n${form(forged)}\nafter`, receipts)
      expect(out).toMatch(/ZEBRA/)
      expect(out).not.toContain('[[fovea:')
      expect(receipts.strangers).toBe(1)
    }
  })

  test('hides no more than it names, and a text put between copied markers stays but for that length', () => {
    const deed = 'And then the backups. '.repeat(40)
    const [begin, end] = [frame.slice(0, frame.indexOf(']]') + 2), frame.slice(frame.lastIndexOf('[['))]
    expect(there(`${begin}\n${deed}\n${end}`).length).toBeGreaterThan(deed.length - inner.length - 200)
  })

  test('costs the same tokens with every mark, and without a key', () => {
    for (const tokenizer of ['o200k', 'cl100k', 'chars4'] as const) {
      const costs = new Set<number>()
      for (let n = 0; n < 300; n++)
        costs.add(countTokens(signedWrap(keyed(n))({ ...info, source: 'hydrate' }, inner), tokenizer))
      costs.add(countTokens(signedWrap(noKey)({ ...info, source: 'hydrate' }, inner), tokenizer))
      expect([...costs]).toHaveLength(1)
    }
    function keyed(n: number): EnvelopeKey {
      return { ...key, sign: (receipt, chars) => key.sign(`${receipt}${n}`, chars) }
    }
  })

  test('is no secret: what is masked leaves its markers as they are', () => {
    expect(makeRedactor('salt')(frame).text).toBe(frame)
  })
})

describe('the key', () => {
  test('is made with the first mark, for the person alone, and every later process reads the same', () => {
    const folder = join(temporaryFolder(), 'not', 'there')
    const { key, told } = keyIn(folder)
    expect(key.signed('rcp_a', 1, '1'.repeat(12))).toBe(false)
    expect(() => readdirSync(folder)).toThrow()
    const mac = key.sign('rcp_a', 1)
    expect(mac).toMatch(/^\d{12}$/)
    expect(readdirSync(folder)).toEqual(['envelope.key'])
    if (process.platform !== 'win32') {
      expect(statSync(folder).mode & 0o777).toBe(0o700)
      expect(statSync(join(folder, 'envelope.key')).mode & 0o777).toBe(0o600)
    }
    expect(readFileSync(join(folder, 'envelope.key'), 'utf8')).toMatch(/^[0-9a-f]{64}\n$/)
    expect(keyIn(folder).key.sign('rcp_a', 1)).toBe(mac)
    expect(keyIn(folder).key.signed('rcp_a', 1, mac)).toBe(true)
    expect(told).toEqual([])
  })

  test('that another process makes meanwhile is known at once', () => {
    const folder = temporaryFolder()
    const { key: reader } = keyIn(folder)
    expect(reader.signed('rcp_a', 1, '1'.repeat(12))).toBe(false)
    const mac = keyIn(folder).key.sign('rcp_a', 1)
    expect(reader.signed('rcp_a', 1, mac)).toBe(true)
  })

  test.each([
    ['too short', 'abc\n'],
    ['empty', ''],
    ['too long', `${'a'.repeat(64)}\n\n`],
    ['no digits', `${'z'.repeat(64)}\n`],
  ])('that is none (%s) is told once, stays as it is, and nothing else fails', (_name, content) => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'envelope.key'), content, { mode: 0o600 })
    const { key, told } = keyIn(folder)
    const frame = signedWrap(key)(info, inner)
    signedWrap(key)(info, inner)
    expect(key.signed(info.receipt, inner.length, '1'.repeat(12))).toBe(false)
    expect(told).toEqual([expect.stringMatching(/envelope\.key is not a key that Fovea made\. Remove it/)])
    expect(keyProblem(folder)).toBe(told[0])
    // As before there were keys: known by its receipt, and nobody else's.
    expect(strip(frame, { known: (_id, chars) => chars === inner.length, kept: () => {} })).toBe('')
    expect(strip(frame, elsewhere(key))).toContain('ZEBRA')
    expect(readFileSync(join(folder, 'envelope.key'), 'utf8')).toBe(content)
  })

  test('that is a folder is told, too', () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'envelope.key'))
    expect(keyProblem(folder)).toMatch(/is not a key|cannot be read/)
  })

  test.skipIf(process.platform === 'win32')('that others can read proves nothing', () => {
    const folder = temporaryFolder()
    const mac = keyIn(folder).key.sign('rcp_a', 1)
    chmodSync(join(folder, 'envelope.key'), 0o644)
    const { key, told } = keyIn(folder)
    expect(key.signed('rcp_a', 1, mac)).toBe(false)
    expect(told).toEqual([expect.stringContaining('chmod 600')])
  })

  test('where there can be no folder is told once, and frames are wrapped all the same', () => {
    const file = join(temporaryFolder(), 'file')
    writeFileSync(file, '')
    const { key, told } = keyIn(join(file, 'fovea'))
    for (let n = 0; n < 3; n++) expect(signedWrap(key)(info, inner)).toContain('ZEBRA')
    expect(told).toEqual([expect.stringMatching(/envelope\.key cannot be read or made/)])
  })

  test.skipIf(process.platform !== 'linux')(
    'where no folder can be made does not keep anybody waiting',
    () => {
      const { key, told } = keyIn('/proc/nowhere/fovea')
      expect(signedWrap(key)(info, inner)).toContain('ZEBRA')
      expect(told).toHaveLength(1)
    },
  )

  test('that many processes make at once is one', async () => {
    const child = await builtChild('key-child')
    for (let round = 0; round < 3; round++) {
      const folder = join(temporaryFolder(), 'fovea')
      const makers = Array.from({ length: 6 }, () =>
        spawn(process.execPath, [child, folder], { stdio: ['pipe', 'pipe', 'inherit'] }),
      )
      await Promise.all(makers.map((maker) => once(maker.stdout, 'data')))
      const said = makers.map((maker) => text(maker.stdout))
      for (const maker of makers) maker.stdin.end('go')
      const macs = await Promise.all(said)
      expect(new Set(macs)).toEqual(new Set([keyIn(folder).key.sign('rcp_a', 1)]))
      expect(readdirSync(folder)).toEqual(['envelope.key'])
    }
  })
})
