import { isAcknowledgement } from '../../goals'

/** What the person's next turn says about a plan that was put to them. */
export interface Ruling {
  verdict: 'approve' | 'refused'
  words: string
  edited: boolean
  /** The words also ask for something of their own. */
  newGoal: boolean
}

const IMPLEMENT = /^(?:yes,? )?(?:please )?implement (?:the|this) plan[.!]?$/i
const NO =
  /^(?:no|nope|not yet|wait|hmm+|never ?mind|stop|don['’]?t|do not|cancel|forget|scrap|abandon|reject)\b/i

/**
 * Codex records no click. Its button sends "Implement the plan." and leaves plan mode; words typed instead send the
 * plan back as long as plan mode goes on, and approve it when the person has left it.
 * `planHash` is that of the plan the turn itself carries.
 */
export function judge(text: string, planHash: string | null, putHash: string, mode: string | null): Ruling {
  if (planHash !== null)
    return { verdict: 'approve', words: '', edited: planHash !== putHash, newGoal: false }
  if (IMPLEMENT.test(text.trim())) return { verdict: 'approve', words: '', edited: false, newGoal: false }
  const says = { words: text, edited: false }
  if (NO.test(text.trim())) return { ...says, verdict: 'refused', newGoal: false }
  if (isAcknowledgement(text)) return { ...says, verdict: 'approve', newGoal: false }
  const left = mode !== null && mode !== 'plan'
  return { ...says, verdict: left ? 'approve' : 'refused', newGoal: left }
}
