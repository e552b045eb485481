import type { TraceReason } from '../../shared/attention'
import { brokenPin } from './check'
import type { Entrant } from './entrants'

/**
 * Makes the texts of what won. A text that cannot be made, or is dearer than it said, gives way to the next coarser
 * rung; with none left the bid is out, and the rest stands.
 * @throws AppError when that happens to a pin
 */
export function realise(kept: readonly Entrant[], count: (text: string) => number): void {
  for (const one of kept) {
    const wanted = one.rung
    let fault: { reason: TraceReason; detail: string } | null = null
    for (; one.rung >= 0; one.rung--) {
      const made = attempt(one, count)
      if (typeof made === 'string') {
        one.text = made
        break
      }
      fault = made
    }
    if (one.text === null && fault) {
      if (one.pin) throw brokenPin(one.id, fault.detail)
      one.out = fault
    } else if (fault && one.rung < wanted) one.fault = fault
  }
}

function attempt(
  one: Entrant,
  count: (text: string) => number,
): string | { reason: TraceReason; detail: string } {
  const rung = one.rungs[one.rung]
  if (!rung) return { reason: 'render-failed', detail: 'it has no such rung' }
  let text: unknown
  try {
    text = typeof rung.render === 'string' ? rung.render : rung.render()
  } catch {
    // What a renderer throws may hold content, so only that it threw is kept.
    return { reason: 'render-failed', detail: `its ${rung.level} could not be rendered` }
  }
  one.rendered = true
  if (typeof text !== 'string') {
    return { reason: 'render-failed', detail: `its ${rung.level} rendered to something that is no text` }
  }
  const tokens = count(text)
  if (!(tokens <= rung.tokens)) {
    return { reason: 'cost', detail: `its ${rung.level} said ${rung.tokens} tokens and takes ${tokens}` }
  }
  return text
}
