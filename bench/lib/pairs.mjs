// Two hundred pairs of notes as agents write them, made by code: near duplicates (words edited, sentences moved),
// paraphrases by rule (other words, other order of the clause), and pairs that look alike and are not. The same pairs
// every time.

const NAMES = 'invoice webhook ledger importer scheduler gateway mailer indexer exporter watcher'.split(' ')
const OTHERS = 'receipt callback journal collector dispatcher proxy notifier crawler renderer archiver'.split(
  ' ',
)
const FILES = [
  'src/billing/retry.ts',
  'src/auth/session.go',
  'lib/cache_store.rb',
  'cmd/server/main.go',
  'app/upload.py',
]
const people = ['the on-call engineer', 'support', 'a customer', 'the nightly job', 'our largest tenant']

const STATEMENTS = [
  (s) =>
    `The ${s.name} retries every failed request three times and then gives up without writing anything to the log.`,
  (s) =>
    `We moved the session lookup of the ${s.name} in front of the rate limiter because anonymous traffic was using up the budget.`,
  (s) => `The migration takes a lock on the orders table, so the ${s.name} stalls until it finishes.`,
  (s) =>
    `Caching the parsed configuration in ${s.file} brought the start of the ${s.name} from slow to hardly noticeable.`,
  (s) =>
    `The ${s.name} reads its credentials from the environment and falls back to the keychain on developer machines.`,
  (s) => `A race between the ${s.name} and the cleanup task deletes temporary folders that are still in use.`,
  (s) => `The root cause was a stale pointer in ${s.file} that survived the reload of the ${s.name}.`,
  (s) =>
    `I replaced the hand-written parser of the ${s.name} by the library that the rest of the team already uses.`,
  (s) => `Pagination of the ${s.name} skips a row whenever two records share the same timestamp.`,
  (s) => `The ${s.name} must keep the order of events for each account, but not across accounts.`,
  (s) =>
    `Rolling back is simple: flip the flag, restart the ${s.name} and replay the queue from the last checkpoint.`,
  (s) =>
    `The tests of the ${s.name} passed locally and hung in the pipeline because the container has no terminal.`,
  (s) => `Memory of the ${s.name} grows with the size of the upload since ${s.file} buffers the whole body.`,
  (s) => `${s.who} reported that the ${s.name} shows yesterday's totals until somebody reloads the page.`,
  (s) => `The new index on the ${s.name} table makes the weekly report usable again on the small machine.`,
  (s) =>
    `Time zones were the trouble: the ${s.name} stored local midnight and compared it with universal time.`,
  (s) => `The ${s.name} writes its output next to the input and never cleans up after a crash.`,
  (s) =>
    `We agreed to keep the old endpoint of the ${s.name} for one more release and to warn in its response header.`,
  (s) =>
    `Compression halves the traffic of the ${s.name} yet costs more processor time than the network ever did.`,
  (s) =>
    `The lock file of the ${s.name} is left behind when the process is killed, and the next start waits for ever.`,
]

const TAILS = [
  'The change is covered by a new integration test.',
  'Nothing else in the module had to be touched.',
  'Documentation still describes the former behaviour.',
  'The reviewers asked for a follow-up that measures it in production.',
  'It had been like that since the first version.',
  'The fix is small and sits behind a switch.',
]

const SYNONYMS = [
  ['gives up', 'stops trying'],
  ['moved', 'relocated'],
  ['because', 'since'],
  ['stalls', 'is blocked'],
  ['takes', 'acquires'],
  ['brought', 'got'],
  ['hardly noticeable', 'barely perceptible'],
  ['falls back to', 'otherwise uses'],
  ['race', 'race condition'],
  ['still in use', 'being used at that moment'],
  ['root cause', 'underlying reason'],
  ['survived', 'outlived'],
  ['replaced', 'swapped out'],
  ['hand-written', 'home-made'],
  ['skips', 'leaves out'],
  ['share', 'have'],
  ['must', 'has to'],
  ['simple', 'easy'],
  ['restart', 'start again'],
  ['replay', 'process again'],
  ['hung', 'got stuck'],
  ['pipeline', 'build environment'],
  ['grows', 'rises'],
  ['buffers', 'holds in memory'],
  ['reported', 'told us'],
  ['somebody', 'someone'],
  ['reloads', 'refreshes'],
  ['usable', 'workable'],
  ['trouble', 'problem'],
  ['stored', 'saved'],
  ['output', 'results'],
  ['cleans up', 'tidies'],
  ['agreed', 'settled'],
  ['warn', 'put a warning'],
  ['halves', 'cuts in half'],
  ['traffic', 'amount of data sent'],
  ['left behind', 'not removed'],
  ['killed', 'terminated'],
  ['waits for ever', 'never gets going'],
  ['whenever', 'each time that'],
  ['until', 'up to the moment that'],
  ['covered', 'checked'],
  ['touched', 'changed'],
  ['describes', 'explains'],
  ['measures', 'quantifies'],
  ['small', 'minor'],
]

const FILLERS = ['in short', 'as discussed', 'to be clear', 'for the record', 'again']

const DENIALS = /^(?:never|without|nothing)$/

function generator(start) {
  let seed = start >>> 0
  return () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
    return seed / 2 ** 32
  }
}

/** @returns {{ kind: 'near' | 'paraphrase' | 'different', how: string, a: string, b: string }[]} */
export function pairs() {
  const random = generator(20_26)
  for (let warm = 0; warm < 5; warm++) random()
  const pick = (list) => list[Math.floor(random() * list.length)]
  const made = []
  for (let n = 0; n < 200; n++) {
    const slots = {
      name: NAMES[((n % 10) * 7 + 3) % NAMES.length],
      file: FILES[n % FILES.length],
      who: pick(people),
    }
    // Every statement meets every maker, and no two pairs share both statement and name.
    const at = (n % 10) * 3 + Math.floor(n / 10) * 11
    const parts = [
      STATEMENTS[at % 20](slots),
      pick(TAILS),
      ...(random() < 0.4 ? [STATEMENTS[(at + 7) % 20](slots)] : []),
    ]
    const a = parts.join(' ')
    const variant = MAKERS[n % 10]
    made.push({ ...variant, a, b: variant.make(parts, { random, pick, slots, at }) })
  }
  return made
}

const sentence = (text) => `${text[0].toUpperCase()}${text.slice(1)}`

/** One to three words dropped, doubled, misspelt or put in; never a name. */
function edited(parts, { random, pick }) {
  const words = parts.join(' ').split(' ')
  for (let times = 1 + Math.floor(random() * 3); times > 0; times--) {
    const at = 1 + Math.floor(random() * (words.length - 2))
    const word = words[at]
    if (/[A-Z/_.\d]/.test(word) || word.length < 4 || NAMES.includes(word) || DENIALS.test(word)) continue
    const turn = random()
    if (turn < 0.3) words.splice(at, 1)
    else if (turn < 0.6) words[at] = `${word} really`
    else if (turn < 0.8) words[at] = `${word.slice(0, 2)}${word.slice(3)}`
    else words.splice(at, 0, pick(FILLERS))
  }
  return sentence(words.join(' '))
}

function reordered(parts) {
  return [...parts].reverse().join(' ')
}

function reworded(parts) {
  let text = parts.join(' ')
  for (const [from, to] of SYNONYMS) text = text.replace(new RegExp(`\\b${from}\\b`, 'g'), to)
  return text
}

/** Clauses change places and words change. */
function retold(parts) {
  const turned = parts.map((part) => {
    const [, head, joint, tail] =
      /^(.*?),? (because|since|so|until|whenever|but|yet|and) (.*)\.$/.exec(part) ?? []
    if (!head) return part
    const cause = { because: 'Because', since: 'Since', until: 'Until', whenever: 'Whenever' }[joint]
    return cause
      ? `${cause} ${tail}, ${head[0].toLowerCase()}${head.slice(1)}.`
      : `${sentence(tail)}; ${joint} ${head[0].toLowerCase()}${head.slice(1)}.`
  })
  return reworded(turned)
}

function otherName(parts, { slots }) {
  const other = OTHERS[NAMES.indexOf(slots.name)]
  const file = FILES[(FILES.indexOf(slots.file) + 1) % FILES.length]
  return parts.join(' ').replaceAll(slots.name, other).replaceAll(slots.file, file)
}

const OPPOSITES = [
  [/\bpassed\b/, 'failed'],
  [/\bretries\b/, 'never retries'],
  [/\bin front of\b/, 'not in front of'],
  [/\btakes a lock\b/, 'takes no lock'],
  [/\bbrought\b/, 'never brought'],
  [/\breads\b/, 'no longer reads'],
  [/\bdeletes\b/, 'does not delete'],
  [/\bwas a\b/, 'was not a'],
  [/\breplaced\b/, 'did not replace'],
  [/\bskips\b/, 'does not skip'],
  [/\bmust keep\b/, 'need not keep'],
  [/\bis simple\b/, 'is not simple'],
  [/\bgrows\b/, 'does not grow'],
  [/\bshows\b/, 'never shows'],
  [/\bmakes\b/, 'does not make'],
  [/\bwere the trouble\b/, 'were not the trouble'],
  [/\bwrites\b/, 'never writes'],
  [/\bagreed to\b/, 'agreed not to'],
  [/\bhalves\b/, 'does not halve'],
  [/\bis left behind\b/, 'is not left behind'],
]

function opposite(parts) {
  const found = OPPOSITES.find(([from]) => from.test(parts[0]))
  return [parts[0].replace(found[0], found[1]), ...parts.slice(1)].join(' ')
}

/** The same subject and the same closing words, another statement. */
function sameSubject(parts, { slots, at }) {
  return [STATEMENTS[(at + 9) % 20](slots), ...parts.slice(1, 2)].join(' ')
}

const MAKERS = [
  { kind: 'near', how: 'edited', make: edited },
  { kind: 'near', how: 'edited', make: edited },
  { kind: 'near', how: 'reordered', make: reordered },
  { kind: 'near', how: 'reordered and edited', make: (parts, tools) => edited([...parts].reverse(), tools) },
  { kind: 'near', how: 'edited', make: edited },
  { kind: 'paraphrase', how: 'reworded', make: reworded },
  { kind: 'paraphrase', how: 'retold', make: retold },
  { kind: 'different', how: 'another name', make: otherName },
  { kind: 'different', how: 'the opposite', make: opposite },
  { kind: 'different', how: 'same subject', make: sameSubject },
]
