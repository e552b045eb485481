import { crc32 } from 'node:zlib'

export interface ZipEntry {
  name: string
  content: string
  /** The Unix mode with its file type, such as 0o100755. */
  mode?: number
}

/** The smallest ZIP archive that holds these entries, uncompressed. APPNOTE.TXT, sections 4.3.7 to 4.3.16. */
export function zipOf(entries: ZipEntry[]): Buffer {
  const locals: Buffer[] = []
  const central: Buffer[] = []
  let offset = 0
  for (const { name, content, mode = 0o100644 } of entries) {
    const data = Buffer.from(content)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt32LE(crc32(data), 10)
    common.writeUInt32LE(data.length, 14)
    common.writeUInt32LE(data.length, 18)
    common.writeUInt16LE(Buffer.byteLength(name), 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, Buffer.from(name), data])
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE((mode << 16) >>> 0, 6)
    tail.writeUInt32LE(offset, 10)
    const madeOnUnix = Buffer.from([20, 3])
    central.push(Buffer.concat([Buffer.from('PK\x01\x02'), madeOnUnix, common, tail, Buffer.from(name)]))
    locals.push(local)
    offset += local.length
  }
  const directory = Buffer.concat(central)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(entries.length, 4)
  end.writeUInt16LE(entries.length, 6)
  end.writeUInt32LE(directory.length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...locals, directory, Buffer.from('PK\x05\x06'), end])
}
