// The turns of a LoCoMo conversation, dated, and which of them are a question's evidence.

export function turnsOf(conversation) {
  const turns = []
  for (let n = 1; conversation[`session_${n}`] || conversation[`session_${n}_date_time`]; n++) {
    const date = conversation[`session_${n}_date_time`] ?? ''
    for (const [i, turn] of (conversation[`session_${n}`] ?? []).entries()) {
      const text = turn.blip_caption ? `${turn.text} [shares ${turn.blip_caption}]` : turn.text
      const role = turn.speaker === conversation.speaker_a ? 'user' : 'assistant'
      const record = {
        id: turn.dia_id,
        session: `session-${n}`,
        ts: timeOf(date) + i * 1000,
        role,
        name: turn.speaker,
        text,
      }
      turns.push({ id: turn.dia_id, date, folded: fold(text), text, name: turn.speaker, record })
    }
  }
  return turns
}

/** `1:56 pm on 8 May, 2023` in milliseconds UTC. */
function timeOf(date) {
  const match = /(\d+):(\d+) (am|pm) on (\d+) (\w+),? (\d+)/.exec(date)
  if (!match) return 0
  const [, hour, minute, half, day, month, year] = match
  const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
  return Date.UTC(
    year,
    months.indexOf(month.slice(0, 3)),
    day,
    (hour % 12) + (half === 'pm' ? 12 : 0),
    minute,
  )
}

export function evidenceOf(question, byId) {
  const ids = (question.evidence ?? [])
    .flatMap((entry) => String(entry).split(/[;,\s]+/))
    .map((id) => id.replace(/^D:(\d+):(\d+)$/, 'D$1:$2'))
  return [...new Set(ids)].flatMap((id) => byId.get(id) ?? [])
}

/** White space folded. */
export function fold(text) {
  return text.replace(/\s+/g, ' ').trim()
}
