/** One kind of secret. `literals`: the rule is tried only when one of them is in the text. */
export interface Rule {
  kind: string
  literals: readonly string[]
  pattern: RegExp
  /** Which group holds the secret; 0, the whole match, when left out. */
  group?: number
  /** Whether what was found is a secret after all. */
  accept?: (secret: string) => boolean
  /** Its literal counts only where so many letters, figures, dashes, slashes or the like stand before it in a row. */
  behind?: number
  /** It is tried before the others, wherever it stands: of two that find the same the first gives its name. */
  ahead?: boolean
}

export const rule = (
  kind: string,
  literals: string | readonly string[],
  pattern: RegExp,
  group?: number,
  accept?: (secret: string) => boolean,
): Rule => ({
  kind,
  literals: typeof literals === 'string' ? [literals] : literals,
  pattern,
  ...(group === undefined ? {} : { group }),
  ...(accept ? { accept } : {}),
})
