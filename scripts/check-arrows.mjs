// node scripts/check-arrows.mjs: which room imports what, and how long files are. See scripts/lib/arrows.mjs.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkArrows } from './lib/arrows.mjs'
import { projectRoot } from './lib/paths.mjs'

const folders = ['src', 'scripts', 'bench', 'test']
const files = folders
  .flatMap((folder) => filesBelow(folder))
  .filter((path) => /\.(?:[cm]?[jt]sx?)$/.test(path))
  .map((path) => ({ path, text: readFileSync(join(projectRoot, path), 'utf8') }))

const violations = checkArrows(files)
for (const { path, line, level, message } of violations) console.log(`${path}:${line} ${level}: ${message}`)
const errors = violations.filter(({ level }) => level === 'error').length
console.log(`${files.length} files, ${errors} errors, ${violations.length - errors} warnings`)
process.exitCode = errors > 0 ? 1 : 0

/** @param {string} folder @returns {string[]} relative to the project, with slashes */
function filesBelow(folder) {
  const path = join(projectRoot, folder)
  if (!existsSync(path)) return []
  return readdirSync(path, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesBelow(`${folder}/${entry.name}`) : [`${folder}/${entry.name}`],
  )
}
