import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { download } from '../../scripts/lib/download.mjs'
import { sha256 } from '../../scripts/lib/files.mjs'
import { loopbackServer, temporaryFolder } from './temporary'

const content = Buffer.from('0123456789'.repeat(1_000))
const hash = sha256(content)

/** Serves `content`, by range where asked, and notes the ranges. */
async function serving({ ranges = true, body = content } = {}) {
  const asked: (string | undefined)[] = []
  const url = await loopbackServer((request, response) => {
    const range = request.headers.range
    asked.push(range)
    const from = Number(range?.match(/\d+/)?.[0] ?? 0)
    if (!range || !ranges) return response.end(body)
    if (from >= body.length) return response.writeHead(416).end()
    response.writeHead(206, { 'content-length': body.length - from }).end(body.subarray(from))
  })
  return { url: `${url}/file`, asked }
}

describe('download', () => {
  it('puts the file in place once it is whole and its hash is right', async () => {
    const { url } = await serving()
    const target = join(temporaryFolder(), 'deep/file')
    await download(url, target, { sha256: hash })
    expect(readFileSync(target)).toEqual(content)
    expect(existsSync(`${target}.part`)).toBe(false)
  })

  it('goes on where an interrupted one stopped', async () => {
    const { url, asked } = await serving()
    const target = join(temporaryFolder({ 'file.part': content.subarray(0, 4_000) }), 'file')
    await download(url, target, { sha256: hash })
    expect(asked).toEqual(['bytes=4000-'])
    expect(readFileSync(target)).toEqual(content)
  })

  it('starts over when the server cannot continue', async () => {
    const { url } = await serving({ ranges: false })
    const target = join(temporaryFolder({ 'file.part': content.subarray(0, 4_000) }), 'file')
    await download(url, target, { sha256: hash })
    expect(readFileSync(target)).toEqual(content)
  })

  it.each([
    ['of another version', 'x'.repeat(4_000)],
    ['whole but wrong', 'x'.repeat(content.length)],
  ])('starts over when what was kept is %s', async (_, kept) => {
    const { url } = await serving()
    const target = join(temporaryFolder({ 'file.part': kept }), 'file')
    await download(url, target, { sha256: hash })
    expect(readFileSync(target)).toEqual(content)
  })

  it('refuses a file with another hash and leaves nothing', async () => {
    const { url } = await serving({ body: Buffer.from('something else') })
    const target = join(temporaryFolder(), 'file')
    await expect(download(url, target, { sha256: hash })).rejects.toThrow(/not the pinned file/)
    expect([target, `${target}.part`].filter((file) => existsSync(file))).toEqual([])
  })

  it('asks for nothing when the file is there', async () => {
    const { url, asked } = await serving()
    const target = join(temporaryFolder({ file: content }), 'file')
    await download(url, target, { sha256: hash })
    expect(asked).toEqual([])
  })

  it('keeps what it has when the connection breaks', async () => {
    let cut = () => {}
    const url = await loopbackServer((request, response) => {
      cut = () => void request.socket.destroy()
      response.writeHead(200, { 'content-length': content.length })
      response.write(content.subarray(0, 5_000))
    })
    const target = join(temporaryFolder(), 'file')
    const broken = expect(download(`${url}/file`, target, { sha256: hash })).rejects.toThrow()
    await vi.waitFor(() => expect(statSync(`${target}.part`).size).toBeGreaterThan(0))
    cut()
    await broken
    expect(existsSync(target)).toBe(false)
    const kept = statSync(`${target}.part`).size
    const { url: whole, asked } = await serving()
    await download(whole, target, { sha256: hash })
    expect(asked).toEqual([`bytes=${kept}-`])
    expect(readFileSync(target)).toEqual(content)
  })
})
