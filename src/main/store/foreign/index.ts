export { ForeignDb, type ForeignRow } from './foreign'
export { ForeignProblem, isDamage } from './problem'
