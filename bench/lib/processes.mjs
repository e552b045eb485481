// What processes take of the machine, as Linux tells it.
import { readdirSync, readFileSync } from 'node:fs'

/** Clock ticks a second; Linux has had 100 for programs on every machine since 2.6. */
const TICKS = 100

/** A process and all it started, by their ids. */
export function family(pid) {
  const children = new Map()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const parent = stat(name)?.parent
    if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), Number(name)])
  }
  const found = [pid]
  for (let at = 0; at < found.length; at++) found.push(...(children.get(found[at]) ?? []))
  return found
}

function stat(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return { parent: Number(fields[1]), cpu: (Number(fields[11]) + Number(fields[12])) / TICKS }
  } catch {
    return undefined
  }
}

/** Seconds of processor time these processes have taken so far. */
export const cpuSeconds = (pids) => pids.reduce((sum, pid) => sum + (stat(pid)?.cpu ?? 0), 0)

/** Bytes these processes hold in memory. Pages they share are counted for each of them, so it is never too little. */
export function residentBytes(pids) {
  return pids.reduce((sum, pid) => {
    try {
      const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
      return sum + Number(kilobytes ?? 0) * 1024
    } catch {
      return sum
    }
  }, 0)
}

/** Bytes these processes have read by any call, from files, pipes and sockets alike. */
export function bytesRead(pids) {
  return pids.reduce((sum, pid) => {
    try {
      return sum + Number(/^rchar: (\d+)/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1] ?? 0)
    } catch {
      return sum
    }
  }, 0)
}

/** Processor time of each thread, with the name it gave itself; finer than a process's own sum of ticks. */
export function threadSeconds(pids) {
  const found = new Map()
  for (const pid of pids) {
    for (const tid of list(`/proc/${pid}/task`)) {
      const name = text(`/proc/${pid}/task/${tid}/comm`)?.trim()
      const spent = text(`/proc/${pid}/task/${tid}/schedstat`)
      if (name && spent) found.set(`${pid}/${tid}`, { pid, name, cpu: Number(spent.split(' ')[0]) / 1e9 })
    }
  }
  return found
}

/** What a process of the app is for, as Chromium names it. */
export function kindOf(pid) {
  return /--type=([\w-]+)/.exec(text(`/proc/${pid}/cmdline`) ?? '')?.[1] ?? 'main'
}

function list(folder) {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function text(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

/** What draws, by the name a thread gives itself and the kind of process it belongs to. */
const DRAWS = [
  { part: 'page', kind: 'renderer', main: true },
  { part: 'raster', kind: 'renderer', name: /^ThreadPoolForeg/ },
  { part: 'compositor', kind: 'renderer', name: /^Compositor/ },
  { part: 'display', kind: 'gpu-process', name: /./ },
]

/** Processor time so far of each thread of the app `pid` that draws: by thread, with the part of the work it does. */
export function drawingThreads(pid) {
  const kinds = new Map()
  const found = new Map()
  for (const [key, thread] of threadSeconds(family(pid))) {
    if (!kinds.has(thread.pid)) kinds.set(thread.pid, kindOf(thread.pid))
    const isMain = key === `${thread.pid}/${thread.pid}`
    const drawn = DRAWS.find(
      ({ kind, main, name }) => kind === kinds.get(thread.pid) && (main ? isMain : name.test(thread.name)),
    )
    if (drawn) found.set(key, { part: drawn.part, cpu: thread.cpu })
  }
  return found
}

/**
 * Seconds taken between two readings of `drawingThreads`: of the page (script, style, layout, paint), of raster, of the
 * compositor, and of putting pictures together and on the screen. Threads of the raster pool come and go: of one that ended
 * in between, what it did since the first reading is not known and not counted; a new one counts whole.
 */
export function drawnBetween(before, after) {
  const spent = Object.fromEntries(DRAWS.map(({ part }) => [part, 0]))
  for (const [key, { part, cpu }] of after) spent[part] += cpu - (before.get(key)?.cpu ?? 0)
  const ended = [...before.keys()].filter((key) => !after.has(key)).length
  return { spent, ended }
}
