/** Reads SQLite's varints from a buffer: seven bits a byte, the most significant first; what is over 2^53 is not ours. */
export class Varints {
  at: number

  constructor(
    readonly bytes: Uint8Array,
    at = 0,
  ) {
    this.at = at
  }

  next(): number {
    let value = 0
    for (let i = 0; i < 8; i++) {
      const byte = this.bytes[this.at++] ?? 0
      value = value * 128 + (byte & 127)
      if (byte < 128) return value
    }
    return value * 256 + (this.bytes[this.at++] ?? 0)
  }
}
