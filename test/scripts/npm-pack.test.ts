import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { pinnedPackage } from '../../scripts/lib/npm-pack.mjs'
import { temporaryFolder } from './temporary'

const content = 'an archive'
const integrity = `sha512-${createHash('sha512').update(content).digest('base64')}`
const pin = { package: '@someone/thing@1.2.3', integrity, bytes: content.length }
const bringing = (text: string, calls: string[] = []) => ({
  calls,
  fetch: async (_: unknown, folder: string) => {
    calls.push(folder)
    writeFileSync(join(folder, 'someone-thing-1.2.3.tgz'), text)
  },
})

describe('a pinned npm package', () => {
  it('is fetched once and used again', async () => {
    const downloads = temporaryFolder()
    const { fetch, calls } = bringing(content)
    const archive = await pinnedPackage('test', pin, { downloads, fetch })
    expect(readFileSync(archive, 'utf8')).toBe(content)
    expect(await pinnedPackage('test', pin, { downloads, fetch })).toBe(archive)
    expect(calls).toHaveLength(1)
  })

  it('is refused when its hash differs, and leaves nothing', async () => {
    const downloads = temporaryFolder()
    const { fetch, calls } = bringing('another archive')
    await expect(pinnedPackage('test', pin, { downloads, fetch })).rejects.toThrow(/not the pinned file/)
    expect(existsSync(calls[0]!)).toBe(false)
  })

  it('is fetched again when the kept archive is damaged', async () => {
    const downloads = temporaryFolder({ '-someone-thing-1.2.3.tgz': 'half of' })
    const { fetch, calls } = bringing(content)
    const archive = await pinnedPackage('test', pin, { downloads, fetch })
    expect(readFileSync(archive, 'utf8')).toBe(content)
    expect(calls).toHaveLength(1)
  })
})
