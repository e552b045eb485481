// A synthetic corpus of Claude Code transcripts of a stated size, the same for the same seed. Its mix follows what was
// measured on real files: about half of the bytes are tools' results (each stored twice in its record), a quarter
// progress chatter, the rest what was said, called and written.
import { createHash } from 'node:crypto'
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'

const WORDS =
  `retry invoice export queue timeout parser migration schema index cache token session worker deploy
rollback test fixture branch merge review handler request response payload customer order refund webhook lock thread
render layout button table column filter search vector budget receipt journal transcript plan gate approve correct
error stack trace warning memory disk network socket stream buffer encode decode hash secret config flag default`.split(
    /\s+/,
  )

/** mulberry32: small, seeded, good enough for filler. */
export function randomFrom(seed) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

const uuid = (text) => {
  const h = createHash('sha256').update(text).digest('hex')
  return `${h.slice(0, 8)}-${h.slice(8, 12)}-${h.slice(12, 16)}-${h.slice(16, 20)}-${h.slice(20, 32)}`
}

class Session {
  constructor(index, random) {
    this.random = random
    this.id = uuid(`session-${index}`)
    this.cwd = `/home/ann/work/project-${index % 12}`
    this.n = 0
    this.time = Date.parse('2026-01-05T08:00:00Z') + index * 3_600_000
    this.parent = null
  }

  pick(list) {
    return list[Math.floor(this.random() * list.length)]
  }
  words(count) {
    let out = ''
    for (let i = 0; i < count; i++) out += (i ? ' ' : '') + this.pick(WORDS)
    return out
  }
  code(lines) {
    let out = ''
    for (let i = 0; i < lines; i++) {
      out += `${'  '.repeat(i % 4)}const ${this.pick(WORDS)}${i} = await ${this.pick(WORDS)}(${this.pick(WORDS)}, ${Math.floor(this.random() * 1000)})\n`
    }
    return out
  }

  chain(type, rest) {
    this.n++
    this.time += 500 + Math.floor(this.random() * 20_000)
    const id = uuid(`${this.id}-${this.n}`)
    const record = {
      parentUuid: this.parent,
      isSidechain: false,
      userType: 'external',
      cwd: this.cwd,
      sessionId: this.id,
      version: '2.1.60',
      gitBranch: 'main',
      slug: 'quiet-walking-otter',
      type,
      ...rest,
      uuid: id,
      timestamp: new Date(this.time).toISOString(),
    }
    this.parent = id
    return `${JSON.stringify(record)}\n`
  }
  assistant(block) {
    const usage = {
      input_tokens: 3,
      cache_read_input_tokens: 48_606,
      output_tokens: 40,
      service_tier: 'standard',
    }
    const message = {
      model: 'claude-opus-4-5',
      id: `msg_${this.n}`,
      type: 'message',
      role: 'assistant',
      content: [block],
      stop_reason: null,
      usage,
    }
    return this.chain('assistant', { message, requestId: `req_${this.n}` })
  }
  result(id, content, twin, isError) {
    const block = { type: 'tool_result', tool_use_id: id, content, ...(isError ? { is_error: true } : {}) }
    return this.chain('user', { message: { role: 'user', content: [block] }, toolUseResult: twin })
  }
  progress(output) {
    const data = { type: 'bash_progress', output, fullOutput: output, elapsedTimeSeconds: 3, totalLines: 20 }
    return this.chain('progress', { data, toolUseID: `bash-${this.n}`, parentToolUseID: `toolu_${this.n}` })
  }

  turn() {
    let out = this.chain('user', {
      message: { role: 'user', content: `${this.words(12)} in ${this.pick(WORDS)}.ts` },
    })
    out += this.assistant({ type: 'thinking', thinking: this.words(60), signature: 'E'.repeat(300) })
    const steps = 3 + Math.floor(this.random() * 6)
    for (let step = 0; step < steps; step++) out += this.step()
    return out + this.assistant({ type: 'text', text: `Done. ${this.words(70)}.\n\n${this.words(40)}.` })
  }
  step() {
    const id = `toolu_${this.id.slice(0, 8)}_${this.n}`
    const path = `${this.cwd}/src/${this.pick(WORDS)}/${this.pick(WORDS)}.ts`
    const roll = this.random()
    if (roll < 0.35) {
      const content = this.code(40 + Math.floor(this.random() * 240))
      const twin = {
        type: 'text',
        file: { filePath: path, content, numLines: 200, startLine: 1, totalLines: 200 },
      }
      return (
        this.assistant({ type: 'tool_use', id, name: 'Read', input: { file_path: path } }) +
        this.result(id, content, twin)
      )
    }
    if (roll < 0.6) return this.bash(id)
    if (roll < 0.85) {
      const [oldString, newString] = [this.code(6), this.code(9)]
      const input = { file_path: path, old_string: oldString, new_string: newString }
      const twin = {
        filePath: path,
        oldString,
        newString,
        originalFile: this.code(120),
        structuredPatch: [
          {
            oldStart: 1,
            oldLines: 6,
            newStart: 1,
            newLines: 9,
            lines: [
              ...oldString.split('\n').map((l) => `-${l}`),
              ...newString.split('\n').map((l) => `+${l}`),
            ],
          },
        ],
        userModified: false,
      }
      return (
        this.assistant({ type: 'tool_use', id, name: 'Edit', input }) +
        this.result(id, `The file ${path} has been updated.`, twin)
      )
    }
    return this.assistant({ type: 'text', text: `${this.words(25)}.` })
  }
  bash(id) {
    const command = `npm test -- ${this.pick(WORDS)} ${this.pick(WORDS)}`
    let out = this.assistant({
      type: 'tool_use',
      id,
      name: 'Bash',
      input: { command, description: this.words(5) },
    })
    const text = this.code(10 + Math.floor(this.random() * 60))
    for (let i = 0; i < 4; i++) out += this.progress(this.code(30))
    const failed = this.random() < 0.15
    const twin = failed
      ? `Error: Exit code 1\n${text}`
      : { stdout: text, stderr: '', interrupted: false, isImage: false }
    return out + this.result(id, failed ? `Exit code 1\n${text}` : text, twin, failed)
  }
}

/**
 * Writes about `bytes` bytes of transcripts into `folder`, in files of 0.3 to 4 MB.
 * @returns {{ files: number, bytes: number }}
 */
export function writeCorpus(folder, bytes, seed = 1) {
  const random = randomFrom(seed)
  mkdirSync(folder, { recursive: true })
  let written = 0
  let files = 0
  while (written < bytes) {
    const session = new Session(files, random)
    const size = Math.min(bytes - written, 300_000 + Math.floor(random() ** 2 * 3_700_000))
    const project = join(folder, `-home-ann-work-project-${files % 12}`)
    mkdirSync(project, { recursive: true })
    const fd = openSync(join(project, `${session.id}.jsonl`), 'w')
    let at = 0
    while (at < size) at += writeSync(fd, session.turn())
    closeSync(fd)
    written += at
    files++
  }
  return { files, bytes: written }
}
