import { createHash } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, openSync, readSync, renameSync, rmSync, writeSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { Handle, ItemKind, type Rung } from '../../shared/domain'
import { AppError } from '../../shared/errors'
import { type ReadDb, sharingSql, unpackText, type WriteDb } from '../store'
import {
  BUNDLE_FORMAT,
  BUNDLE_VERSION,
  type BundleArc,
  type BundleItem,
  COPY_NOTE,
  type Manifest,
} from './bundle'
import { underCeiling } from './ceiling'

export interface ExportRequest {
  out: string
  ceiling: Rung
  project?: string | undefined
  kind?: ItemKind | undefined
  since?: number | undefined
}

export interface ExportPorts {
  read: ReadDb
  write: WriteDb
  clock: () => number
  newId: () => string
  /** Masks what has become known as a secret since the text was stored; counts the marks it made. */
  redact: (text: string) => { text: string; masked: number }
}

export interface ExportReport {
  file: string
  items: number
  ceiling: Rung
  sha256: string
  masked: number
  restricted: number
}

const PAGE = 500
/** An item with one of these labels leaves in no bundle. */
const RESTRICTING = ['private', 'restricted']

/**
 * Writes the memory that matches to one file with nothing finer than the ceiling: no finer rung, no goal text, no
 * path of this machine. The file appears whole or not at all.
 * @throws AppError `conflict` when the file exists and is no bundle, `unreadable` when it cannot be written
 */
export function exportBundle(request: ExportRequest, ports: ExportPorts): ExportReport {
  const file = resolve(request.out)
  refuseForeign(file)
  const id = ports.newId()
  const part = `${file}.${id}.part`
  const manifest: Manifest = {
    format: BUNDLE_FORMAT,
    version: BUNDLE_VERSION,
    id,
    createdAt: ports.clock(),
    ceiling: request.ceiling,
    filter: { project: request.project ?? null, kind: request.kind ?? null, since: request.since ?? null },
    note: COPY_NOTE,
  }
  try {
    const tally = writeBundle(part, manifest, request, ports)
    renameSync(part, file)
    syncFolder(dirname(file))
    sharingSql.recordExport(ports.write, {
      id,
      file: ports.redact(file).text,
      ceiling: request.ceiling,
      filter: JSON.stringify(manifest.filter),
      items: tally.items,
      restricted: tally.restricted,
      sha256: tally.sha256,
      createdAt: manifest.createdAt,
    })
    return { file, ceiling: request.ceiling, ...tally }
  } catch (cause) {
    rmSync(part, { force: true })
    if (cause instanceof AppError) throw cause
    throw new AppError('unreadable', `The bundle ${file} cannot be written. Nothing was left behind.`, {
      cause,
    })
  }
}

/** Only a bundle is written over: a mistyped path must not cost the person a file of theirs. */
function refuseForeign(file: string): void {
  if (!existsSync(file)) return
  const head = Buffer.alloc(64)
  try {
    const fd = openSync(file, 'r')
    readSync(fd, head, 0, head.length, 0)
    closeSync(fd)
  } catch (cause) {
    throw new AppError('conflict', `${file} exists and is not a bundle; nothing was written.`, { cause })
  }
  if (!head.toString('utf8').startsWith(`{"format":"${BUNDLE_FORMAT}"`)) {
    throw new AppError('conflict', `${file} exists and is not a bundle; nothing was written.`)
  }
}

interface Tally {
  items: number
  restricted: number
  masked: number
  sha256: string
}

function writeBundle(part: string, manifest: Manifest, request: ExportRequest, ports: ExportPorts): Tally {
  const fd = openSync(part, 'wx', 0o600)
  try {
    const hash = createHash('sha256')
    const line = (value: unknown): void => {
      const bytes = Buffer.from(`${JSON.stringify(value)}\n`, 'utf8')
      hash.update(bytes)
      writeSync(fd, bytes)
    }
    const clean = cleaner(ports.redact, request.ceiling)
    let arcs = 0
    let items = 0
    let restricted = 0
    ports.read.snapshot(() => {
      line(manifest)
      for (const row of arcRows(ports.read, request)) {
        if (isRestricted(row.labels)) continue
        line(arcLine(row, ports.read, request.ceiling, clean))
        arcs++
      }
      for (const row of itemRows(ports.read, request)) {
        if (isRestricted(row.labels)) {
          restricted++
          continue
        }
        line(itemLine(row, request.ceiling, clean))
        items++
      }
    })
    const sha256 = hash.digest('hex')
    writeSync(fd, `${JSON.stringify({ type: 'seal', items, arcs, sha256 })}\n`)
    fsyncSync(fd)
    return { items, restricted, masked: clean.masked(), sha256 }
  } finally {
    closeSync(fd)
  }
}

type Clean = ((text: string) => string) & { masked: () => number }

/** The folder of a person's own on the usual systems: its name is the person's, not the work's. */
const HOME =
  /(?:\/Users|\/home|[A-Za-z]:\\{1,4}Users)[\\/]{1,4}[^\\/\s"'`:]{1,100}|(?<![\w.~/-])\/root(?=[/\s"'`]|$)/g

/** Masks secrets, and under any ceiling but the verbatim one the names of people's home folders. */
function cleaner(redact: ExportPorts['redact'], ceiling: Rung): Clean {
  let masked = 0
  const clean = (text: string): string => {
    const result = redact(text)
    masked += result.masked
    return ceiling === 'L0' ? result.text : result.text.replace(HOME, '~')
  }
  return Object.assign(clean, { masked: () => masked })
}

function itemLine(row: sharingSql.ExportItemRow, ceiling: Rung, clean: Clean): BundleItem {
  return {
    type: 'item',
    handle: Handle.parse(row.handle),
    kind: ItemKind.parse(row.kind),
    ts: row.ts,
    session: anonymous(row.session_id),
    project: row.project,
    arc: row.arc_id,
    rungs: leaving(row, unpackText(row), ceiling, clean),
    labels: JSON.parse(row.labels),
  }
}

function arcLine(row: sharingSql.ExportArcRow, read: ReadDb, ceiling: Rung, clean: Clean): BundleArc {
  const goal = unpackText({ text: row.goal_text, text_z: row.goal_text_z })
  return {
    type: 'arc',
    id: row.id,
    session: anonymous(row.session_id),
    project: row.project,
    startedAt: row.started_at,
    endedAt: row.ended_at,
    // An arc's verbatim is its goal: under a coarser ceiling its other rungs must not quote it, nor its items.
    rungs: leaving(row, goal, ceiling, clean, finerOf(read, row.id, ceiling)),
  }
}

/** What an arc's items say more finely than the ceiling allows. */
function finerOf(read: ReadDb, arc: string, ceiling: Rung): string[] {
  if (ceiling === 'L0') return []
  return sharingSql
    .textsOfArc(read, arc)
    .flatMap((item) =>
      ceiling === 'L1' || item.l1 === null ? [unpackText(item)] : [unpackText(item), item.l1],
    )
}

function leaving(
  row: { l1: string | null; l2: string | null; l3: string | null },
  verbatim: string,
  ceiling: Rung,
  clean: Clean,
  within: readonly string[] = [],
): Partial<Record<Rung, string>> {
  const rungs: Partial<Record<Rung, string>> = verbatim === '' ? {} : { L0: verbatim }
  if (row.l1 !== null) rungs.L1 = row.l1
  if (row.l2 !== null) rungs.L2 = row.l2
  if (row.l3 !== null) rungs.L3 = row.l3
  const allowed = underCeiling(rungs, ceiling, within)
  return Object.fromEntries(Object.entries(allowed).map(([rung, text]) => [rung, clean(text)]))
}

function* itemRows(read: ReadDb, request: ExportRequest): Generator<sharingSql.ExportItemRow> {
  for (let after = 0; ; ) {
    const page = sharingSql.exportItems(read, request, after, PAGE)
    yield* page
    const last = page.at(-1)
    if (!last) return
    after = last.id
  }
}

function* arcRows(read: ReadDb, request: ExportRequest): Generator<sharingSql.ExportArcRow> {
  for (let after = ''; ; ) {
    const page = sharingSql.exportArcs(read, request, after, PAGE)
    yield* page
    const last = page.at(-1)
    if (!last) return
    after = last.id
  }
}

function isRestricted(labels: string): boolean {
  const list = JSON.parse(labels) as unknown
  return Array.isArray(list) && list.some((label) => RESTRICTING.includes(label))
}

/** A session's native id can name a machine or a folder; its hash still groups what belongs together. */
function anonymous(session: string): string {
  return `ses_${createHash('sha256').update(session).digest('hex').slice(0, 16)}`
}

function syncFolder(folder: string): void {
  // A folder cannot be opened for syncing everywhere (Windows); the rename is atomic all the same.
  try {
    const fd = openSync(folder, 'r')
    fsyncSync(fd)
    closeSync(fd)
  } catch {
    // Nothing to do: the content itself is on the disk.
  }
}
