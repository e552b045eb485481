import { execFileSync } from 'node:child_process'
import { availableParallelism, cpus, totalmem } from 'node:os'

/** What every figure has to be read beside. */
export function machine() {
  return {
    commit: commit(),
    machine: {
      cpu: cpus()[0]?.model.trim() ?? 'unknown',
      cores: availableParallelism(),
      memoryGb: Math.round(totalmem() / 2 ** 30),
      platform: `${process.platform}-${process.arch}`,
      node: process.version,
    },
  }
}

function commit() {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  } catch {
    return 'unknown'
  }
}

/** The value below which the share `q` (0 to 1) of the list lies; nearest rank. */
export function quantile(list, q) {
  const sorted = [...list].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(q * sorted.length) - 1))] ?? Number.NaN
}

export const median = (list) => quantile(list, 0.5)
