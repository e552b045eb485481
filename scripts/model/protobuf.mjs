// The little of protobuf's wire format that writing an ONNX file takes.
// https://protobuf.dev/programming-guides/encoding/

const wireType = { varint: 0, bytes: 2, fixed32: 5 }

/** @param {number | bigint} value */
function varint(value) {
  let rest = BigInt.asUintN(64, BigInt(value))
  const bytes = []
  do {
    const low = Number(rest & 0x7fn)
    rest >>= 7n
    bytes.push(rest > 0n ? low | 0x80 : low)
  } while (rest > 0n)
  return Buffer.from(bytes)
}

const tag = (field, type) => varint((field << 3) | type)

/** @param {number} field @param {number | bigint} value */
export const integer = (field, value) => Buffer.concat([tag(field, wireType.varint), varint(value)])

/** A string, raw bytes or a nested message. @param {number} field @param {string | Buffer} value */
export function bytes(field, value) {
  const data = typeof value === 'string' ? Buffer.from(value) : value
  return Buffer.concat([tag(field, wireType.bytes), varint(data.length), data])
}

/** @param {number} field @param {number} value */
export function float(field, value) {
  const data = Buffer.alloc(4)
  data.writeFloatLE(value)
  return Buffer.concat([tag(field, wireType.fixed32), data])
}

export const message = (...fields) => Buffer.concat(fields.flat())
