import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { unzip } from '../../scripts/lib/unzip.mjs'
import { temporaryFolder } from './temporary'
import { zipOf } from './zip'

const everything = (name: string) => name

it('writes files with their folders and keeps what may be run runnable', async () => {
  const folder = temporaryFolder({
    'a.zip': zipOf([
      { name: 'App/', content: '', mode: 0o40755 },
      { name: 'App/run', content: 'x', mode: 0o100755 },
      { name: 'App/data/a.txt', content: 'text' },
    ]),
  })
  await unzip(join(folder, 'a.zip'), join(folder, 'out'), (name) => name.slice('App/'.length))
  expect(readFileSync(join(folder, 'out/data/a.txt'), 'utf8')).toBe('text')
  expect(statSync(join(folder, 'out/run')).mode & 0o777).toBe(0o755)
})

it('leaves out what has no place', async () => {
  const folder = temporaryFolder({
    'a.zip': zipOf([
      { name: 'a', content: '1' },
      { name: 'b', content: '2' },
    ]),
  })
  await unzip(join(folder, 'a.zip'), join(folder, 'out'), (name) => (name === 'a' ? name : undefined))
  expect(readdirSync(join(folder, 'out'))).toEqual(['a'])
})

it('refuses an entry that would land outside', async () => {
  const folder = temporaryFolder({ 'a.zip': zipOf([{ name: 'x', content: 'evil' }]) })
  await expect(unzip(join(folder, 'a.zip'), join(folder, 'out'), () => '../evil')).rejects.toThrow(/outside/)
  expect(existsSync(join(folder, 'evil'))).toBe(false)
})

it('makes no links', async () => {
  const folder = temporaryFolder({
    'a.zip': zipOf([{ name: 'link', content: '/etc/passwd', mode: 0o120777 }]),
  })
  await unzip(join(folder, 'a.zip'), join(folder, 'out'), everything)
  expect(existsSync(join(folder, 'out/link'))).toBe(false)
})
