import type { Pointer as PointerType } from '@shared/domain'
import { count } from '../lib/format'
import { Path } from './Path'

/** Where a verbatim record lies: file, line, byte. */
export function Pointer({ pointer }: { pointer: PointerType }) {
  return (
    <p className="mono wrap-any">
      <Path path={pointer.file} />
      <br />
      line {count(pointer.line)} · byte {count(pointer.byteOffset)}
    </p>
  )
}
