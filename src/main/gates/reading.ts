import type { Prepared, VectorSpace } from '../proxy'
import type { Subject } from './subject'

/** Both passes over one gate, with all that a decision needs afterwards. */
export interface Reading {
  subject: Subject
  prepared: Prepared
  space: VectorSpace
}
