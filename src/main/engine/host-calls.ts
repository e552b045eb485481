import type { CallOutput, ParsedInput } from '../../shared/contract'
import { AppError } from '../../shared/errors'

/** What needs a window or the operating system's shell; the desktop app answers it, a command line cannot. */
type HostCall = 'app.openExternal' | 'app.pickFolder' | 'app.pickSave'
export type HostHandlers = { [K in HostCall]: (input: ParsedInput<K>) => Promise<CallOutput<K>> }

export function hostCalls(host: HostHandlers | undefined): HostHandlers {
  if (host) return host
  const refuse = async (): Promise<never> => {
    throw new AppError('unsupported', 'This needs the desktop app.')
  }
  return { 'app.openExternal': refuse, 'app.pickFolder': refuse, 'app.pickSave': refuse }
}
