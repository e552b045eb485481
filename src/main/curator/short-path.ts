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
