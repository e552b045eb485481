import type { Handlers } from '../../../shared/contract'
import { curatorEstimate } from '../../curator'
import type { HandlerContext } from '../context'

export const curatorHandlers = ({ read }: HandlerContext): Handlers<'curator.estimate'> => ({
  'curator.estimate': () => read.snapshot(() => curatorEstimate(read)),
})
