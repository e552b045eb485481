// A corpus with the shape of real transcripts: words by Zipf's law over a large vocabulary, sessions of forty items
// about a topic of their own, mostly short steps with some long texts. The same size gives the same corpus.

const VOCABULARY = 30_000
const SYLLABLES =
  'ba ce di fo gu ha je ki lo mu na pe qui ro su ta ve wi xo ya zu bra cle dri flo gru sta tri ple'.split(' ')
const COMMON =
  `the a to of in and is for it that this with we be on as not by from or at are was will can has have if then when
  file test error function should value type return change add fix update run build line code path name data use`.split(
    /\s+/,
  )
const LETTERS = 'abcdefghijklmnopqrstuvwxyz234567'

/** A word by its rank: the common ones of English and code first, then made-up ones. */
function word(rank) {
  if (rank < COMMON.length) return COMMON[rank]
  let text = ''
  for (let n = rank; n > 0; n = Math.floor(n / SYLLABLES.length)) text += SYLLABLES[n % SYLLABLES.length]
  return text
}

function generator(start) {
  let seed = start >>> 0
  return () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
    return seed / 2 ** 32
  }
}

/** A rank with probability about 1 / rank. */
const zipf = (random) => Math.min(VOCABULARY - 1, Math.floor(Math.exp(random() * Math.log(VOCABULARY))) - 1)

const KINDS = [
  'file_op',
  'file_op',
  'file_op',
  'command',
  'command',
  'command',
  'error',
  'note',
  'note',
  'conclusion',
]
const LENGTHS = { goal: 25, file_op: 12, command: 20, error: 60, note: 45, conclusion: 120 }

function topicOf(session) {
  const random = generator(session * 7919 + 13)
  return Array.from({ length: 12 }, () => word(200 + Math.floor(random() * (VOCABULARY - 200))))
}

/** @yields {{ handle, kind, session, position, ts, project, goal, text }} */
export function* corpus(size) {
  let goal = null
  for (let n = 0; n < size; n++) {
    const session = Math.floor(n / 40)
    const position = n % 40
    const random = generator(n * 31 + 7)
    for (let warm = 0; warm < 3; warm++) random()
    const topic = topicOf(session)
    const kind = position % 13 === 0 ? 'goal' : KINDS[Math.floor(random() * KINDS.length)]
    const length = Math.ceil(LENGTHS[kind] * (0.4 + 1.4 * random()) * (random() < 0.03 ? 12 : 1))
    const words = Array.from({ length }, () =>
      random() < 0.25 ? topic[Math.floor(random() * topic.length)] : word(zipf(random)),
    )
    const handle = handleOf(n)
    if (kind === 'goal') goal = handle
    yield {
      handle,
      kind,
      session: `generic:s${session}`,
      position,
      ts: Date.UTC(2024, 0, 1) + session * 3_600_000 + position * 60_000,
      project: `project-${session % 8}`,
      goal,
      text: words.join(' '),
    }
  }
}

/** What people would ask of a corpus of that size: a few words of some session's topic among common ones. */
export function goals(count, size) {
  const random = generator(99)
  return Array.from({ length: count }, () => {
    const topic = topicOf(Math.floor(random() * Math.ceil(size / 40)))
    const words = Array.from({ length: 4 + Math.floor(random() * 8) }, () =>
      random() < 0.4 ? topic[Math.floor(random() * topic.length)] : word(zipf(random)),
    )
    return `how did we ${words.join(' ')}`
  })
}

function handleOf(n) {
  let text = ''
  // Spread, as hashes are.
  for (let i = 0, rest = Math.imul(n + 1, 2654435761) >>> 0; i < 7; i++, rest = Math.floor(rest / 32))
    text += LETTERS[rest % 32]
  for (let i = 0, rest = n; i < 19; i++, rest = Math.floor(rest / 32)) text += LETTERS[rest % 32]
  return `itm_${text}`
}
