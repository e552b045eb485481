import { posix } from 'node:path'
import { importsOf } from './arrows-imports.mjs'

// The rooms of src/main, left to right. A room imports only from rooms to its left; the three on the ground
// floor import from none.
const groundFloor = ['store', 'models', 'faculty']
const chain = ['journal', 'curator', 'hydration', 'proxy', 'gates', 'sharing', 'surfaces']
const rooms = [...groundFloor, ...chain]
// What composes the rooms: any file directly in src/main, and these folders.
const composers = ['workers', 'window', 'engine']

const packagePlaces = [
  { name: 'electron', places: ['src/main/index.ts', 'src/main/window/', 'src/preload/'] },
  { name: 'better-sqlite3', places: ['src/main/store/open.ts'] },
  { name: 'sqlite-vec', places: ['src/main/store/open.ts'] },
  { name: '@xenova/transformers', places: ['src/main/models/'] },
]

export const maxLines = { warning: 300, error: 400 }

/**
 * @typedef {{ path: string, text: string }} SourceFile `path` is relative to the project, with slashes
 * @typedef {{ path: string, line: number, level: 'error' | 'warning', message: string }} Violation
 */

/**
 * Checks which file imports what, and how long files are.
 * @param {SourceFile[]} files
 * @returns {Violation[]}
 */
export function checkArrows(files) {
  return files.flatMap(({ path, text }) => [...lengthOf(path, text), ...importsOfFile(path, text)])
}

function lengthOf(path, text) {
  const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0)
  const level = lines > maxLines.error ? 'error' : lines > maxLines.warning ? 'warning' : undefined
  if (!level) return []
  return [
    {
      path,
      line: 1,
      level,
      message: `The file has ${lines} lines; ${maxLines[level]} are enough for one idea.`,
    },
  ]
}

function importsOfFile(path, text) {
  if (!path.startsWith('src/')) return []
  const from = areaOf(path)
  const error = (line, message) => ({ path, line, level: /** @type {const} */ ('error'), message })
  if (from.kind === 'nowhere') {
    return [error(1, `${path} belongs to no room; the rooms of src/main are ${rooms.join(', ')}.`)]
  }
  return importsOf(text).flatMap(({ specifier, line }) => {
    const target = resolveImport(path, specifier)
    const message = target.path ? localProblem(from, target.path) : packageProblem(path, from, target.package)
    return message ? [error(line, message)] : []
  })
}

/** @returns {{ kind: 'room' | 'composer' | 'shared' | 'renderer' | 'preload' | 'nowhere', name: string }} */
function areaOf(path) {
  const [, area, folder, ...deeper] = path.split('/')
  if (area !== 'main') {
    const known = ['shared', 'renderer', 'preload'].includes(area)
    return known ? { kind: /** @type {any} */ (area), name: area } : { kind: 'nowhere', name: area }
  }
  if (rooms.includes(folder)) return { kind: 'room', name: folder }
  if (deeper.length === 0 || composers.includes(folder)) return { kind: 'composer', name: folder }
  return { kind: 'nowhere', name: folder }
}

/** A file of this project (without extension and query), or a package. */
function resolveImport(path, specifier) {
  const plain = specifier.replace(/\?.*$/, '')
  if (plain === '@shared' || plain.startsWith('@shared/'))
    return { path: plain.replace('@shared', 'src/shared') }
  if (plain.startsWith('.')) return { path: posix.join(posix.dirname(path), plain) }
  return { package: plain }
}

function localProblem(from, target) {
  if (target === 'src/shared' || target.startsWith('src/shared/')) return undefined
  if (!target.startsWith('src/')) {
    // Types and texts beside the sources (package.json, resources) are data, but not for the shared contract.
    return from.kind === 'shared' ? `src/shared imports only zod and itself, not ${target}.` : undefined
  }
  if (from.kind === 'shared') return `src/shared imports only zod and itself, not ${target}.`
  const [, area, folder] = target.split('/')
  if (from.kind === 'preload' || from.kind === 'renderer') {
    return area === from.name
      ? undefined
      : `src/${from.name} imports only src/shared and itself, not ${target}.`
  }
  if (area !== 'main') return `src/main does not import src/${area}.`
  return roomProblem(from, folder?.replace(/\.[jt]sx?$/, '') ?? '', target)
}

function roomProblem(from, folder, target) {
  if (folder === from.name && from.kind === 'room') return undefined
  if (!rooms.includes(folder)) {
    return from.kind === 'composer' ? undefined : `A room does not import what composes it: ${target}.`
  }
  if (from.kind === 'room' && !isLeftOf(folder, from.name)) {
    return groundFloor.includes(from.name)
      ? `${from.name} is on the ground floor and imports no other room, not ${folder}.`
      : `${from.name} imports only rooms to its left, and ${folder} is to its right.`
  }
  if (isIndexOf(folder, target)) return undefined
  return `${folder} is used through its index.ts only, not through ${target}.`
}

function isLeftOf(room, other) {
  if (groundFloor.includes(other)) return false
  return rooms.indexOf(room) < rooms.indexOf(other)
}

const isIndexOf = (room, target) =>
  [`src/main/${room}`, `src/main/${room}/index`].includes(target.replace(/\/$/, '').replace(/\.[jt]s$/, ''))

function packageProblem(path, from, name) {
  const isPackage = (wanted) => name === wanted || name.startsWith(`${wanted}/`)
  if (from.kind === 'shared' && !isPackage('zod'))
    return `src/shared imports only zod and itself, not ${name}.`
  for (const { name: wanted, places } of packagePlaces) {
    if (
      isPackage(wanted) &&
      !places.some((place) => path === place || (place.endsWith('/') && path.startsWith(place)))
    ) {
      return `${wanted} is imported only in ${places.join(', ')}.`
    }
  }
  return undefined
}
