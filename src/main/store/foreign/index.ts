export { ForeignDb, type ForeignRow } from './foreign'
export { ForeignProblem } from './problem'
