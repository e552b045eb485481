import type { AttentionLine } from '@shared/review'

/** What a person is told of the attention map: what was looked at, and apart from it what never was. */
export function attentionShownOf(
  lines: readonly AttentionLine[],
  most: number,
): { looked: AttentionLine[]; passed: AttentionLine[] } {
  return {
    looked: lines.filter(({ salient, named }) => salient > 0 || named > 0).slice(0, most),
    passed: lines.filter(({ ignored }) => ignored).slice(0, most),
  }
}

/** The person's own words weigh more than what moved a prediction. */
export function lookedAt({ named, salient, present }: AttentionLine): { count: number; words: string } {
  return named > 0
    ? { count: named, words: `named ${named}×` }
    : { count: salient, words: `moved ${salient}/${present}` }
}
