import { chmodSync, createWriteStream, mkdirSync } from 'node:fs'
import { dirname, resolve, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'

/**
 * Unpacks a ZIP archive. An entry that would land outside the folder stops it; links are not made.
 *
 * @param {string} archive
 * @param {string} folder
 * @param {(name: string) => string | undefined} place where an entry goes below the folder; undefined: nowhere
 */
export async function unzip(archive, folder, place) {
  // From node_modules, which does not exist yet when this module is loaded.
  const { default: yauzl } = await import('yauzl')
  const zip = await promisify(yauzl.open)(archive, { lazyEntries: true, autoClose: false })
  const openEntry = promisify(zip.openReadStream.bind(zip))
  try {
    await new Promise((done, fail) => {
      zip.on('error', fail).on('end', done)
      zip.on('entry', (entry) => write(entry).then(() => zip.readEntry(), fail))
      zip.readEntry()
    })
  } finally {
    zip.close()
  }

  async function write(entry) {
    const name = place(entry.fileName)
    const mode = entry.externalFileAttributes >>> 16
    const isPlainFile = (mode & 0o170000) === 0o100000 || mode === 0
    if (name === undefined || entry.fileName.endsWith('/') || !isPlainFile) return
    const target = resolve(folder, name)
    if (!target.startsWith(resolve(folder) + sep))
      throw new Error(`The archive names a path outside: ${name}`)
    mkdirSync(dirname(target), { recursive: true })
    await pipeline(await openEntry(entry), createWriteStream(target))
    if (mode & 0o111) chmodSync(target, 0o755)
  }
}
