import type { Pointer as PointerType } from '@shared/domain'
import { count, shortPath } from '../lib/format'

/** Where a verbatim record lies: file, line, byte. */
export function Pointer({ pointer }: { pointer: PointerType }) {
  return (
    <p className="mono wrap-any" title={pointer.file}>
      {shortPath(pointer.file, 64)}
      <br />
      line {count(pointer.line)} · byte {count(pointer.byteOffset)}
    </p>
  )
}
