import type { Situation } from './types'

/**
 * The situation as words for its vector. It takes no artifact and no session text: where in the process, what kind of
 * task, whose project and agent, which round, and what was answered last.
 */
export function situationText(situation: Situation): string {
  const parts = [
    `state=${situation.state}`,
    `task=${situation.taskType ?? 'unknown'}`,
    `project=${situation.project ?? 'none'}`,
    `agent=${situation.agent ?? 'none'}`,
    `round=${situation.round >= 3 ? '3+' : situation.round}`,
    `last=${situation.last ?? 'none'}`,
  ]
  return parts.map((part) => part.replace(/\s+/g, '_')).join(' ')
}

/** What the salience vector is made of: the situation it happened in, and the sentence on what changed. */
export function salienceText(situation: string, sentence: string): string {
  return sentence === '' ? '' : `${situation} ${sentence}`
}
