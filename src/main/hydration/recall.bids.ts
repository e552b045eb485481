import type { Handle, RecallPath } from '../../shared/domain'
import type { Match, Omitted, ReceiptFact, Tokenizer } from '../../shared/recall'
import type { Bid } from '../faculty'
import { hydrationSql } from '../store'
import { miss } from './candidates'
import { compose } from './compose'
import { day, type Line, lineText } from './frame'
import { goalWords } from './goal-words'
import { factOf, gather } from './hydrate'
import { matchOf } from './match'
import { costWith, type Offer, offersOf } from './offers'
import type { PlanePolicy } from './plane-policy'
import type { RecallPorts } from './ports'
import { sense } from './sense'
import { stopwatch } from './stopwatch'

export interface RecallOffer {
  goal: string
  plane: PlanePolicy
  /** Tokens of the whole context, and the part of it that recall may take for itself. */
  budget: number
  share: number
  project?: string
  tokenizer: Tokenizer
  asOf: number
  /** How many may bid. */
  most: number
  /**
   * Whether each offers its whole ladder, so that the faculty allocates once over everything. Else hydration does it
   * within its share, and each stands as it was given.
   */
  ladders: boolean
}

export interface Recalled {
  bids: Bid[]
  /** What a receipt tells of each, by handle; level and tokens are those of its finest offer. */
  facts: ReadonlyMap<string, ReceiptFact>
  omitted: Omitted[]
  path: RecallPath
  reason: string | null
  model: string | null
  words: string[]
  /** How near memory comes to the goal at all. */
  match: Match
  ms: Record<string, number>
}

/** What memory has for a goal, as bids. Stores nothing: the receipt is of who asked. */
export async function recallBids(ports: RecallPorts, offer: RecallOffer): Promise<Recalled> {
  const { plane, budget, asOf, tokenizer, project } = offer
  const watch = stopwatch()
  const words = goalWords(offer.goal)
  const felt = await sense(ports.embedder, words, hydrationSql.recallState(ports.read).vectors)
  watch.lap('embed')
  const request = { tokenizer, viewer: 'agent', ...(project === undefined ? {} : { project }) }
  const run = { ports, request, goal: offer.goal, plane, budget, asOf, watch }
  const { landed, field, match } = ports.read.snapshot(() => {
    const gathered = gather(run, words, felt)
    return { ...gathered, match: matchOf(ports.read, gathered.landed, 'vector' in felt) }
  })
  const ranked = [...field.contenders].sort(
    (a, b) => b.utility - a.utility || (a.seed.item.handle < b.seed.item.handle ? -1 : 1),
  )
  const cost = (text: string): number => ports.countTokens(text, tokenizer)
  const standing = offer.ladders
    ? [...offersOf(ranked.slice(0, offer.most), tokenizer, costWith(ports.countTokens, tokenizer)).values()]
    : chosen(ranked, offer, ports)
  const past = ranked.filter(({ seed }) => !standing.some((one) => one.contender.seed === seed))
  watch.lap('bids')
  const top = ranked[0]?.utility ?? 1
  return {
    bids: standing.map((one, order) => bidOf(one, { order, top, cost })),
    facts: new Map(standing.flatMap(factOfOffer)),
    omitted: [...past.map((one) => miss(one.seed, one.text, 'budget', one.utility)), ...field.omitted],
    path: landed.path,
    reason: landed.reason ?? null,
    model: 'vector' in felt ? felt.model : null,
    words: landed.words,
    match,
    ms: watch.laps,
  }
}

/** Hydration's own allocation within recall's share: one line each, at the rung it got. */
function chosen(
  ranked: Parameters<typeof compose>[0],
  { plane, budget, share, tokenizer }: RecallOffer,
  { countTokens }: RecallPorts,
): Offer[] {
  const { placed } = compose(
    ranked,
    {
      plane,
      budget: Math.floor(share * budget),
      tokenizer,
      goal: new Set(),
      withProject: false,
      titles: new Map(),
      note: null,
      emptyNote: '',
    },
    // What stands around the lines is the turn's own business.
    { countTokens, wrap: (_, text) => text },
  )
  return placed.map(({ contender, line, tokens }) => ({
    contender,
    lines: [{ line, cost: tokens, exact: true, says: 1 }],
  }))
}

const textOf = (line: Line): string => `${day(line.ts)} ${lineText(line)}`

function bidOf(
  { contender, lines }: Offer,
  { order, top, cost }: { order: number; top: number; cost: (text: string) => number },
): Bid {
  const { item } = contender.seed
  const last = lines.at(-1)?.line
  return {
    id: `recall:${item.handle}`,
    source: 'recall',
    title: (last?.text ?? item.kind).replace(/\s+/g, ' ').slice(0, 90),
    key: item.handle,
    order,
    at: item.ts,
    terms: { relevance: top > 0 ? Math.max(0, contender.utility / top) : 0, importance: item.importance },
    // An estimate may be under what the text takes, and a bid that lies about its cost is left out.
    rungs: lines.map(({ line }) => ({
      level: line.level,
      tokens: cost(textOf(line)),
      render: () => textOf(line),
    })),
    handles: [item.handle as Handle],
  }
}

function factOfOffer({ contender, lines }: Offer): [string, ReceiptFact][] {
  const last = lines.at(-1)
  if (!last) return []
  const fact = factOf({ contender, line: last.line, tokens: Math.ceil(last.cost) }, null)
  return [[contender.seed.item.handle, fact]]
}
