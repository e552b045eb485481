import { AppError } from '../../../shared/errors'
import type { Embedder } from '../../models'

/** An embedder that is waited for only so long: past that, recall goes on by words and its receipt says why. */
export function hurried(embedder: Embedder, ms: number): Embedder {
  return {
    status: () => embedder.status(),
    embed: async (texts) => {
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(
          () => reject(new AppError('unavailable', `it was not ready within ${ms} milliseconds.`)),
          ms,
        )
      })
      try {
        return await Promise.race([embedder.embed(texts), late])
      } finally {
        clearTimeout(timer)
      }
    },
  }
}
