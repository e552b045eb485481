import { posix } from 'node:path'

/**
 * The one name of a path within its project: `./src/a.ts:12`, `src//a.ts` and the absolute path in the session's
 * folder are all `src/a.ts`; what lies in a home folder starts with `~`. Null when nothing is left of it.
 */
export function projectPath(path: string, cwd: string | null): string | null {
  const plain = path
    .normalize('NFC')
    .trim()
    .replace(/(?::\d+){1,2}(?:-\d+)?$/, '')
    .replace(/\/\.{3}$/, '')
  const slashed = /^[A-Za-z]:\\/.test(plain) || cwd?.includes('\\') ? plain.replace(/\\/g, '/') : plain
  const clean = posix.normalize(slashed).replace(/(?<=.)\/$/, '')
  const within = withinProject(clean, cwd?.replace(/\\/g, '/') ?? null)
  return within === '' || within === '.' || within === '/' || within === '~' ? null : within
}

/** A path as it reads inside its project: without the session's folder, or without its home when outside of that. */
export function withinProject(path: string, cwd: string | null): string {
  const folder = cwd?.replace(/[\\/]+$/, '') ?? ''
  if (folder !== '' && path === folder) return '.'
  const inside = folder !== '' && (path.startsWith(`${folder}/`) || path.startsWith(`${folder}\\`))
  const relative = inside ? path.slice(folder.length + 1) : path
  return relative.replace(/^(?:\.\/)+(?=.)/, '').replace(/^\/(?:Users|home)\/[^/]+(?=\/)/, '~')
}

/** The end of a path, which tells one file from another, in at most `length` characters, whole segments only. */
export function pathTail(path: string, length: number): string {
  if (path.length <= length) return path
  const segments = path.split('/')
  let tail = segments.pop() ?? path
  while (segments.length > 0 && tail.length + (segments.at(-1) ?? '').length + 3 <= length)
    tail = `${segments.pop()}/${tail}`
  return tail.length + 2 <= length ? `…/${tail}` : `…${tail.slice(1 - length)}`
}
