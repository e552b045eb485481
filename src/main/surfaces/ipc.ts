import { callChannel, callNames } from '../../shared/channels'
import type { CallName } from '../../shared/contract'
import { AppError, type Result, toErrorData } from '../../shared/errors'

/** What a surface needs of the engine. It validates what it is given and what it answers. */
export interface EngineCalls {
  // biome-ignore lint/suspicious/noExplicitAny: the answer's type depends on the name; callers that know it use the typed client.
  call(name: CallName, input: unknown): Promise<any>
}

interface IpcPort<E> {
  handle(channel: string, listener: (event: E, input: unknown) => Promise<Result<unknown>>): void
}

/**
 * One channel for each call of the contract. An untrusted sender is refused before its input is looked at;
 * whatever fails comes back as data, so that nothing of the main process shows through a rejected promise.
 */
export function registerIpc<E>(
  ipc: IpcPort<E>,
  engine: EngineCalls,
  options: { isTrusted: (event: E) => boolean; onThrown: (error: unknown, name: CallName) => void },
): void {
  for (const name of callNames) {
    ipc.handle(callChannel(name), async (event, input) => {
      try {
        if (!options.isTrusted(event)) throw new AppError('forbidden', 'This window may not call Fovea.')
        return { ok: true, value: await engine.call(name, input) }
      } catch (error) {
        if (!(error instanceof AppError)) options.onThrown(error, name)
        return { ok: false, error: toErrorData(error) }
      }
    })
  }
}
