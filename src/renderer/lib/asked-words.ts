import type { AskedFor } from '@shared/recall'
import { dateTime } from './format'
import { kindName } from './words'

/** What was read out of a goal's words, each in a few words, and what could not be held to. */
export function askedInWords(
  asked: AskedFor | undefined,
  now: number,
): { read: string[]; dropped: string[] } {
  const { within, times = [], paths = [], names = [], kinds = [], broad, dropped = [] } = asked ?? {}
  const some = (word: string, list: readonly string[]): string[] =>
    list.length === 0 ? [] : [`${word} ${list.join(', ')}`]
  return {
    read: [
      ...(within ? [`only ${within.phrase} (${spanInWords(within, now)})`] : []),
      ...some(
        'rather',
        times.map(({ phrase }) => phrase),
      ),
      ...some('about', paths),
      ...some('said by', names),
      ...some(
        'above all:',
        kinds.map((kind) => kindName[kind]),
      ),
      ...(broad ? ['many things'] : []),
    ],
    dropped,
  }
}

function spanInWords({ since, until }: NonNullable<AskedFor['within']>, now: number): string {
  if (since !== null && until !== null) return `${dateTime(since, now)} to ${dateTime(until, now)}`
  return since !== null ? `from ${dateTime(since, now)}` : `to ${dateTime(until ?? now, now)}`
}
