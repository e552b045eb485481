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

export const damaged = (what: string): ForeignProblem =>
  new ForeignProblem('damaged', `the database is cut or damaged (${what})`)
export const changing = (): ForeignProblem =>
  new ForeignProblem('busy', 'another program is writing the database')
