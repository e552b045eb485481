/** Why another program's database cannot be read. */
export type ProblemKind =
  /** It is being written, or a write to it was cut off: another try later may do. */
  | 'busy'
  /** Its content: nothing helps before it changes. */
  | 'damaged'

/** A problem with another program's database, with a reason for a person. */
export class ForeignProblem extends Error {
  constructor(
    readonly kind: ProblemKind,
    readonly reason: string,
  ) {
    super(reason)
  }
}

/** Whether a reason says that the content itself is at fault: there is no use in another try before it changes. */
export const isDamage = (reason: string | null): boolean =>
  reason !== null &&
  /^(?:the database is cut or damaged|no SQLite database,|a database of a newer SQLite)/.test(reason)

export const damaged = (what: string): ForeignProblem =>
  new ForeignProblem('damaged', `the database is cut or damaged (${what})`)
export const changing = (): ForeignProblem =>
  new ForeignProblem('busy', 'another program is writing the database')
