import { journal } from './001-journal'
import { index } from './002-index'
import { curator } from './003-curator'
import { receipts } from './004-receipts'
import { gates } from './005-gates'
import { sharing } from './006-sharing'
import { facts } from './007-facts'
import { neighbourhoods } from './008-neighbourhoods'
import { journalLinks } from './009-journal-links'
import { recall } from './010-recall'
import { traces } from './011-traces'
import { erasure } from './014-erasure'
import { recallSpeed } from './015-recall-speed'
import { modelWork } from './016-model-work'
import { cellSteps } from './018-cell-steps'
import { retention } from './019-retention'
import { projectTotals } from './021-project-totals'
import { smallerItems } from './022-smaller-items'
import { sniffedFiles } from './025-sniffed-files'
import { wrappedReceipts } from './026-wrapped-receipts'
import { callTraces } from './029-call-traces'
import { namedByNumber } from './030-named-by-number'
import { packedWithWords } from './031-packed-with-words'
import { namedWithWeights } from './033-named-with-weights'
import { removedSources } from './034-removed-sources'
import { packedReceipts } from './035-packed-receipts'
import type { Migration } from './migration'

export const migrations: readonly Migration[] = [
  journal,
  index,
  curator,
  receipts,
  gates,
  sharing,
  facts,
  neighbourhoods,
  journalLinks,
  recall,
  traces,
  erasure,
  recallSpeed,
  modelWork,
  cellSteps,
  retention,
  projectTotals,
  smallerItems,
  sniffedFiles,
  wrappedReceipts,
  callTraces,
  namedByNumber,
  packedWithWords,
  namedWithWeights,
  removedSources,
  packedReceipts,
]
