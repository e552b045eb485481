import { shortPath, tilde } from '../lib/format'
import { useInfo } from '../state/memory'

/** A path as a person reads it: from their own folder on, its middle left out when it is long; whole as a tooltip. */
export function Path({ path, max = 64 }: { path: string; max?: number }) {
  const userHome = useInfo((s) => s.value?.userHome ?? '')
  return <span title={path}>{shortPath(tilde(path, userHome), max)}</span>
}
