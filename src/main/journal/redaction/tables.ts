import { isPasswordLike, isPlainPassword } from './passwords'
import { isCamel, isChosen } from './words'

// A list of accounts with a column of passwords: a table of Markdown, of a database's shell, or lines of CSV.

const NAME = /^(?:password|passwd|passphrase|passcode|passwort|kennwort|contraseña|пароль|pwd|pass)$/i
/** Lines with that name as a cell of their own, which may be a table's first. */
const HEADER =
  /^.{0,300}?(?:^|[|,;\t])[ \t"'*_`]{0,20}(?:password|passwd|passphrase|passcode|passwort|kennwort|contraseña|пароль|pwd|pass)[ \t"'*_`]{0,20}(?:$|[|,;\t\r]).{0,300}$/gimu
/** Rows that are looked at below one header. */
const ROWS = 500
const RULE = /^[\s|+:=-]{3,}$/

interface Cell {
  text: string
  start: number
}

export function findInTables(text: string): { start: number; end: number; kind: string }[] {
  const found: { start: number; end: number; kind: string }[] = []
  HEADER.lastIndex = 0
  for (let match = HEADER.exec(text); match; match = HEADER.exec(text)) {
    const header = match[0].replace(/\r$/, '')
    const mark = ['|', '\t', ';', ','].find((char) => header.includes(char))
    if (mark === undefined) continue
    const names = cellsOf(header, 0, mark)
    const at = names.findIndex((cell) => NAME.test(cell.text))
    if (at < 0 || names.length < 2 || !names.every(({ text: name }) => isColumn(name))) continue
    const next = text.indexOf('\n', match.index + match[0].length) + 1
    if (next === 0) break
    for (const { cell, end } of columnBelow(text, next, { mark, at, cells: names.length })) {
      // No line is read twice, whatever it says.
      HEADER.lastIndex = end
      if (cell && isInColumn(cell.text))
        found.push({ start: cell.start, end: cell.start + cell.text.length, kind: 'password' })
    }
  }
  return found
}

/** Names of columns are a word or three; a sentence with commas in it, or a list in code, is no table. */
const isColumn = (name: string): boolean => /^[\p{L}_][\w#/-]{0,40}(?: [\w#/-]{1,40}){0,2}$/u.test(name)

function* columnBelow(
  text: string,
  from: number,
  table: { mark: string; at: number; cells: number },
): Generator<{ cell?: Cell; end: number }> {
  let place = from
  for (let row = 0; row < ROWS && place < text.length; row++) {
    const newline = text.indexOf('\n', place)
    const end = newline < 0 ? text.length : newline
    const line = text.slice(place, Math.min(end, place + 2000))
    const cells = cellsOf(line, place, table.mark)
    // A table of Markdown or of a shell has a rule below its names; CSV has none.
    if (row === 0 && table.mark === '|' && !RULE.test(line)) return
    if (!RULE.test(line)) {
      if (cells.length !== table.cells) return
      const cell = cells[table.at]
      yield { ...(cell ? { cell } : {}), end }
    }
    place = end + 1
  }
}

/** What stands between the marks, without the blanks, the quotes and the stars around it. */
function cellsOf(line: string, start: number, mark: string): Cell[] {
  const cells: Cell[] = []
  let at = start
  for (const part of line.split(mark)) {
    const text = part.replace(/^[\s"'*_`]+/, '')
    cells.push({ text: text.replace(/[\s"'*_`]+$/, ''), start: at + part.length - text.length })
    at += part.length + 1
  }
  // A line that begins or ends with the mark has no cell there.
  if (mark === '|' && cells[0]?.text === '') cells.shift()
  if (mark === '|' && cells.at(-1)?.text === '') cells.pop()
  return cells
}

const isInColumn = (value: string): boolean =>
  !/\s/.test(value) &&
  (isPasswordLike(value) || isPlainPassword(value, null) || isCamel(value) || isChosen(value, 6))
