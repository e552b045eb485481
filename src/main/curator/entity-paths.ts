import { BARE_FILES, EXTENSIONS, FOLDERS, NOT_FILES } from './entity-words'

/**
 * The path a word is, without its line number, a leading `./` and a closing slash or `/...`; null when it is none:
 * a pattern, a branch, a route, an import path, a path that was cut at its front.
 */
export function pathIn(word: string): string | null {
  const bare = word
    .replace(/^file:\/\/(?=\/)/, '')
    .replace(/(?::\d+){1,2}(?:-\d+)?$/, '')
    .replace(/#L\d+(?:-L?\d+)?$/, '')
    .replace(/\/\.{3}$/, '/')
  if (!/^[\w.@~+:\\/()[\]-]+$/.test(bare) || /^[\d./-]+$/.test(bare)) return null
  if (/^[A-Za-z]:\\\w/.test(bare)) return bare
  if (/^\.{3}|^\/dev\/|:\/|\w:\w|\\/.test(bare)) return null
  if (!bare.includes('/')) return isFileName(bare) ? bare : null
  return isPath(bare)
    ? bare
        .replace(/^(?:\.\/)+/, '')
        .replace(/\/{2,}/g, '/')
        .replace(/(?<=.)\/$/, '')
    : null
}

function isPath(bare: string): boolean {
  const parts = bare.split('/').filter((part) => part !== '' && part !== '.')
  const last = parts.at(-1) ?? ''
  const first = parts[0] ?? ''
  const rooted = /^(?:~|\.{1,2})?\//.test(bare) && parts.length > 0 && /[A-Za-z]{2}/.test(bare)
  if (rooted && (parts.length > 1 || bare.startsWith('.'))) return true
  if (isFileName(last, true)) return true
  if (FOLDERS.has(first) && (parts.length > 1 || bare.endsWith('/'))) return true
  // A hidden folder, as tools keep beside the work: `.git/hooks`.
  return parts.length > 1 && /^\.[a-z][\w.-]*$/.test(first)
}

/** Extensions that are more often a member than a file: `items.map`, `console.log`, `process.env`. */
const MEMBERS = new Set(['map', 'log', 'env', 'm', 'r', 'conf', 'patch', 'diff', 'lock'])

/** Whether a name is one a file has: a known extension, or a name of its own such as `Makefile`. */
export function isFileName(name: string, inFolder = false): boolean {
  if (BARE_FILES.has(name)) return true
  if (NOT_FILES.has(name.toLowerCase()) || !/^[\w.@+$()[\]-]+$/.test(name)) return false
  const dot = name.lastIndexOf('.')
  const extension = name.slice(dot + 1).toLowerCase()
  if (dot < 1 || !EXTENSIONS.has(extension)) return false
  return inFolder || !MEMBERS.has(extension) || /[-.]/.test(name.slice(0, dot))
}
