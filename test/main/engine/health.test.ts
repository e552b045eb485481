import { expect, test } from 'vitest'
import { doctor } from '../../../src/main/engine/health'
import { type Places, placesFor } from '../../../src/main/home'
import { openWrite } from '../../../src/main/store'
import type { Workers } from '../../../src/main/workers/start'
import { temporaryFolder } from '../../support'

function places(): Places {
  const made = placesFor(temporaryFolder(), { FOVEA_CONFIG: temporaryFolder() })
  openWrite(made.db).close()
  return made
}

/** An index worker whose model is there as soon as it was waited for; without that, never. */
function workers(comes: boolean): Workers {
  let model: string | null = null
  const call = async (method: string): Promise<unknown> => {
    if (method !== 'loaded')
      return { state: model === null ? 'loading' : 'ready', model, reason: null, vectors: 3, pending: 0 }
    if (!comes) return new Promise(() => undefined)
    model = 'mini/q8'
    return {}
  }
  return { client: () => ({ call }) } as unknown as Workers
}

const embeddings = async (comes: boolean): Promise<string | undefined> =>
  (await doctor(workers(comes), places(), 5)).checks.find(({ name }) => name === 'embeddings')?.detail

test('the doctor waits for the model, so that it tells what is there', async () => {
  expect(await embeddings(true)).toBe('mini/q8, 3 vectors, 0 waiting')
})

test('a model that does not come in time is told as what it is', async () => {
  expect(await embeddings(false)).toBe('still loading; until then recall goes by words, 3 vectors, 0 waiting')
})
