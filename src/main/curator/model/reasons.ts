// Why rules, and not the model, had the last word on a summary.

interface Reason {
  /** The end of a sentence. */
  text: string
  /** Another answer may be sound; otherwise the text itself is the reason, and asking again would cost for nothing. */
  again: boolean
}

const REASONS: Readonly<Record<string, Reason>> = {
  ungrounded: { text: 'the model said what does not stand in the text', again: true },
  orders: { text: 'the text gives orders to its reader', again: false },
  'answer-orders': { text: 'the answer gave orders to its reader', again: true },
  quoted: { text: 'the answer was what somebody else is quoted with', again: true },
  empty: { text: 'the answer was empty', again: true },
  longer: { text: 'the summary was longer than the text', again: true },
  'left-out': { text: 'the answer left it out', again: true },
  thin: { text: 'there is too little to summarise', again: false },
  cut: { text: 'the answer was cut at its limit', again: true },
  'not-json': { text: 'the answer was not JSON', again: true },
  'wrong-shape': { text: 'the answer had another shape', again: true },
  'too-long': { text: 'it does not fit the model’s window', again: false },
  'gave-up': { text: 'three calls failed', again: true },
}

/** Why rules, and not the model, made a summary; the end of a sentence. */
export const reasonText = (reason: string | null): string =>
  REASONS[reason ?? '']?.text ?? 'the model was of no use'

export const canBeAskedAgain = (reason: string | null): boolean => REASONS[reason ?? '']?.again ?? true

export const ASKED_AGAIN: readonly string[] = Object.keys(REASONS).filter(canBeAskedAgain)
