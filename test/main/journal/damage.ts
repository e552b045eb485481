import { join } from 'node:path'
import fc from 'fast-check'
import { expect } from 'vitest'
import { enrol, ingestSources } from '../../../src/main/journal'
import type { Agent } from '../../../src/shared/domain'
import { temporaryFolder } from '../../support'
import { append, brokenInvariants, dump, ingest, openJournal, put } from './transcripts'

/** Damages a text the way crashes, cleaners and careless tools do. */
export const mutation = fc.oneof(
  fc.record({ how: fc.constant('cut' as const), at: fc.nat(), size: fc.integer({ min: 1, max: 300 }) }),
  fc.record({
    how: fc.constant('insert' as const),
    at: fc.nat(),
    bytes: fc.uint8Array({ minLength: 1, maxLength: 12 }),
  }),
  fc.record({ how: fc.constant('glue' as const), at: fc.nat() }),
  fc.record({ how: fc.constant('swap' as const), at: fc.nat(), with: fc.nat() }),
)

export function damage(
  text: string,
  changes: readonly (typeof mutation extends fc.Arbitrary<infer T> ? T : never)[],
): Buffer {
  let bytes = Buffer.from(text)
  for (const change of changes) {
    const at = change.at % (bytes.length + 1)
    if (change.how === 'cut') bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + change.size)])
    else if (change.how === 'insert')
      bytes = Buffer.concat([bytes.subarray(0, at), change.bytes, bytes.subarray(at)])
    else if (change.how === 'glue') {
      const newline = bytes.indexOf(10, at)
      if (newline !== -1) bytes = Buffer.concat([bytes.subarray(0, newline), bytes.subarray(newline + 1)])
    } else {
      const lines = bytes.toString('latin1').split('\n')
      const [a, b] = [change.at % lines.length, change.with % lines.length]
      ;[lines[a], lines[b]] = [lines[b] ?? '', lines[a] ?? '']
      bytes = Buffer.from(lines.join('\n'), 'latin1')
    }
  }
  return bytes
}

/**
 * Holds for any damage to a growing transcript: every record is accounted for, and read in one go or in pieces cut
 * anywhere it gives the same journal. `runs` times, and as many times more as a soak asks for.
 */
export async function damagedAlike(text: string, format: Agent, runs: number): Promise<void> {
  const path = join(temporaryFolder(), 'x.jsonl')
  await fc.assert(
    fc.asyncProperty(
      fc.array(mutation, { minLength: 1, maxLength: 6 }),
      fc.array(fc.nat(text.length), { maxLength: 6 }),
      async (changes, cuts) => {
        const bytes = damage(text, changes)
        const whole = openJournal()
        put(path, bytes)
        await ingest(whole.journal, path, { format })
        expect(brokenInvariants(whole.db)).toEqual([])
        const pieces = openJournal()
        put(path, '')
        const source = enrol(pieces.journal, { path, format })
        let from = 0
        for (const to of [...cuts.sort((a, b) => a - b), bytes.length]) {
          append(path, bytes.subarray(from, to))
          from = Math.max(from, to)
          await ingestSources(pieces.journal, [source])
        }
        expect(brokenInvariants(pieces.db)).toEqual([])
        expect(dump(pieces.db)).toBe(dump(whole.db))
      },
    ),
    { numRuns: Number(process.env.FOVEA_SOAK ?? 1) * runs },
  )
}
