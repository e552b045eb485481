import type { WriteDb } from '../../../src/main/store'
import type { ChatRequest } from '../../doubles/ollama'
import { textsOf } from '../../doubles/summariser'
import { insertItem } from '../models/journal-rows'
import { NOON } from './model-support'

/** An item of five megabytes, with something to say at both ends. */
export function ask5MB(db: WriteDb): string {
  const text = [
    'The very beginning says that the importer was slow.',
    'row 1 was read and kept. '.repeat(200_000),
    'We decided to read in pages, and the importer is fixed in src/importer/read.ts.',
  ].join('\n')
  return insertItem(db, { kind: 'conclusion', text, ts: NOON - 1000 }).handle
}

/** An answer of the right shape whose sentence is made from each text. */
export function chosenAnswer(request: ChatRequest, sentence: (text: string, n: number) => string): object {
  return {
    summaries: textsOf(request).map(({ n, text }) => ({
      text: n,
      sentence: sentence(text, n),
      entities: [],
      decisions: [],
      constraints: [],
      outcomes: [],
      open_questions: [],
    })),
  }
}
