import type { Draft, Format, FormatContext, FormatReader, Outcome, Place, TextRecord } from '../../drafts'
import { dropped } from '../../drafts'
import { handleOf } from '../../handles'
import { headAndBody } from '../../text'
import { AGENT, CursorLinesReader } from './lines-reader'
import { answerBlocks, CursorTextCutter, speakerOf } from './text-turn'

/** Reads `agent-transcripts/<id>.txt`: what it tells is what the later `.jsonl` tells, and so is its identity. */
class CursorTextReader implements FormatReader {
  private readonly lines: CursorLinesReader
  private readonly stem: string
  private turns = 0

  constructor(context: FormatContext) {
    this.lines = new CursorLinesReader(context, null)
    this.stem = this.lines.session
  }

  state(): unknown {
    return {}
  }

  stub(): Draft | null {
    return null
  }

  read(value: unknown, place: Place): Outcome {
    const { text, closed } = value as TextRecord
    const { head, body } = headAndBody(text)
    const speaker = speakerOf(head.trimEnd())
    if (speaker === null) return dropped('preamble')
    if (speaker === 'system') return dropped('system')
    const content = speaker === 'user' ? [{ type: 'text', text: body.trim() }] : answerBlocks(body)
    const turn = handleOf(AGENT, this.stem, 'turn', this.turns++).slice(4, 20)
    const out = this.lines.read({ role: speaker, message: { content } }, place, { recordId: turn, closed })
    return { ...out, turn }
  }
}

/** Cursor's agent transcripts as plain text, as versions of early 2026 wrote them. */
export const cursorText: Format = {
  agent: AGENT,
  framing: { kind: 'text', cutter: () => new CursorTextCutter() },
  // The later transcripts tell the same, and the editor's database tells it with times and results.
  rendering: { rank: 2, files: '%.txt' },
  recognise({ text, path }) {
    const placed = /[\\/]agent-transcripts[\\/]/.test(path)
    const lines = text.slice(0, 16_000).split('\n')
    const first = lines.find((line) => line.trim() !== '')
    if (first === undefined || speakerOf(first.trimEnd()) === null) return 0
    if (placed) return 1
    return /^(?:<user_query>|\[(?:Thinking|Tool call)\])/m.test(text) ? 0.8 : 0
  },
  open: (context) => new CursorTextReader(context),
}
