import { type ArtifactView, clip, firstLine, type Sighting, says } from './artifact-view'

/** One thing to look for in an artifact, always the same way. */
export interface Rule {
  /** What a person calls it; also its key in memory, so it never changes once shipped. */
  phrase: string
  /** Words by which a person points at it, in any inflection. */
  names: readonly string[]
  see(view: ArtifactView): Sighting | null
  /** For what may be missing: what a line says that covers it. */
  covered?: RegExp
}

const missing = (
  what: string,
  pattern: RegExp,
  concerns?: RegExp,
): Required<Pick<Rule, 'see' | 'covered'>> => ({
  covered: pattern,
  see: (view) => {
    if (view.text.trim() === '' || says(view, pattern)) return null
    if (!concerns) return { evidence: `nothing in the plan about ${what}`, line: null }
    const cause = firstLine(view, concerns)
    return cause
      ? { evidence: `nothing in the plan about ${what}, but: ${cause.evidence}`, line: cause.line }
      : null
  },
})

const present =
  (pattern: RegExp, prose = false) =>
  (view: ArtifactView): Sighting | null =>
    firstLine(view, pattern, prose)

const size =
  (from: number, below: number) =>
  (view: ArtifactView): Sighting | null => {
    const length = view.text.trim().length
    if (length < from || length >= below) return null
    return { evidence: `${length.toLocaleString('en')} characters, ${view.lines.length} lines`, line: null }
  }

const files =
  (from: number, below: number) =>
  (view: ArtifactView): Sighting | null => {
    const count = view.files.length
    if (view.text.trim() === '' || count < from || count >= below) return null
    const named = view.files.slice(0, 4).join(', ')
    return { evidence: count === 0 ? 'names no file' : clip(`${count} named: ${named}`), line: null }
  }

const DATA = /\b(?:migrat\w*|schema|database|backfill|deploy\w*|production|drop|truncate|cut-?over)\b/i
const SECRET =
  /\b(?:auth\w*|credential\w*|tokens?|secrets?|passwords?|permissions?|log-?in|oauth|api keys?)\b/i

/** Sections that a reviewer may miss. */
const SECTIONS: readonly Rule[] = [
  {
    phrase: 'no rollback',
    names: ['rollback', 'roll', 'revert', 'undo', 'backout'],
    ...missing(
      'rollback',
      /\b(?:roll(?:ing|ed|s)?[ -]?back|rollback|revert\w*|back[ -]?out|undo|restore\w*)\b/i,
      DATA,
    ),
  },
  {
    phrase: 'no tests',
    names: ['test', 'coverage', 'verify', 'verification'],
    ...missing('tests or verification', /\b(?:tests?|testing|tested|verif\w*|specs?)\b/i),
  },
  {
    phrase: 'no migration path',
    names: ['migration', 'backfill', 'compatibility', 'upgrade'],
    ...missing(
      'migration or compatibility',
      /\b(?:migrat\w*|backfill\w*|backwards?[ -]compat\w*|compatib\w*|upgrade path)\b/i,
      /\b(?:schema|new columns?|new tables?|file format|config format|breaking)\b/i,
    ),
  },
  {
    phrase: 'no security note',
    names: ['security', 'threat', 'encryption', 'leak'],
    ...missing(
      'security',
      /\b(?:secur\w*|threat\w*|encrypt\w*|least privilege|rotat\w*|redact\w*)\b/i,
      SECRET,
    ),
  },
  {
    phrase: 'no acceptance criteria',
    names: ['acceptance', 'criteria', 'criterion', 'done'],
    ...missing(
      'acceptance criteria',
      /\b(?:acceptance|success criteri\w*|criteri\w*|done when|definition of done|expected (?:result|outcome|output|behaviou?r))/i,
    ),
  },
  {
    phrase: 'no risks named',
    names: ['risk', 'edge', 'tradeoff'],
    ...missing('risks', /\b(?:risk\w*|caveat\w*|trade-?offs?|drawback\w*|edge cases?|downside\w*)\b/i),
  },
  {
    phrase: 'no limits of scope',
    names: ['scope', 'goal'],
    ...missing(
      'what is out of scope',
      /\b(?:out of scope|non-?goals?|not in scope|in scope|out-of-scope)\b/i,
    ),
  },
  {
    phrase: 'no steps',
    names: ['step', 'sequence', 'order', 'phase'],
    ...missing('steps', /^\s*(?:\d{1,3}[.)]|#{1,6}\s.*\b(?:steps?|phase|implementation|changes)\b)/i),
  },
]

/** Steps that a reviewer may stop at. */
const RISKS: readonly Rule[] = [
  {
    phrase: 'destructive step',
    names: ['delete', 'drop', 'remove', 'force', 'wipe', 'destructive'],
    see: present(
      /\b(?:drop (?:the )?(?:table|column|index|database|view)|delet(?:e|es|ing)|rm -rf?|truncate|purge|wipe|force[ -]push|reset --hard)\b|--force\b/i,
    ),
  },
  {
    phrase: 'touches production',
    names: ['production', 'prod', 'live'],
    see: present(/\b(?:production|prod (?:db|database|cluster|env)|live (?:system|data|users))\b/i),
  },
  {
    phrase: 'handles credentials',
    names: ['credentials', 'token', 'secret', 'password'],
    see: present(/\b(?:credential\w*|access tokens?|\w*_token|secrets?|passwords?|api keys?)\b/i),
  },
  {
    phrase: 'changes authentication',
    names: ['auth', 'authentication', 'login', 'permission'],
    see: present(/\b(?:auth(?:entication|orization|n|z)?|oauth|log-?in|sign-?in|permissions?)\b/i),
  },
  {
    phrase: 'changes a public interface',
    names: ['api', 'interface', 'break'],
    see: present(/\b(?:public (?:api|interface)|breaking change\w*|api contract|endpoint\w*)\b/i),
  },
  {
    phrase: 'adds a dependency',
    names: ['dependency', 'library', 'package'],
    see: present(
      /\b(?:new dependenc\w*|add (?:a |the )?(?:dependency|library|package)|(?:npm|pnpm|yarn|pip|cargo|go) (?:install|add|get)\b)/i,
    ),
  },
  { phrase: 'changes data', names: ['data', 'migration', 'schema'], see: present(DATA) },
]

/** What the artifact leaves open, and its shape. */
const SHAPE: readonly Rule[] = [
  {
    phrase: 'open questions',
    names: ['question', 'clarify', 'decide'],
    see: present(/\bopen questions?\b|\bquestions? (?:for|to) (?:you|the user|clarify)\b/i, true),
  },
  { phrase: 'asks something', names: ['question', 'ask'], see: present(/\w[)"'`*]*\?(?:\s|$)/, true) },
  {
    phrase: 'unfinished parts',
    names: ['todo', 'unfinished', 'incomplete'],
    see: present(/\b(?:TODO|TBD|FIXME|to be (?:decided|determined|defined))\b|\?\?\?/),
  },
  {
    phrase: 'several alternatives',
    names: ['alternative', 'option', 'instead'],
    see: present(/\b(?:option [a-c1-3]\b|alternativ\w*|approach [a-c1-3]\b)/i, true),
  },
  { phrase: 'asks for confirmation', names: ['confirm'], see: present(/\[CONFIRM\]/) },
  {
    phrase: 'code in the text',
    names: ['code', 'snippet'],
    see: (view) => {
      const line = view.lines.find((candidate) => candidate.code)
      return line ? { evidence: clip(line.text), line: line.number } : null
    },
  },
  { phrase: 'untidy formatting', names: ['formatting', 'tidy', 'readable', 'style'], see: untidy },
  {
    phrase: 'empty',
    names: ['empty', 'missing'],
    see: (view) => (view.text.trim() === '' ? { evidence: 'there is no text', line: null } : null),
  },
  { phrase: 'very short', names: ['short', 'detail'], see: size(1, 600) },
  { phrase: 'short', names: ['short', 'detail'], see: size(600, 2000) },
  { phrase: 'long', names: ['long', 'split', 'small'], see: size(6000, 12_000) },
  {
    phrase: 'very long',
    names: ['long', 'split', 'small', 'massive'],
    see: size(12_000, Number.POSITIVE_INFINITY),
  },
  { phrase: 'no files named', names: ['file', 'where'], see: files(0, 1) },
  { phrase: 'many files', names: ['file', 'split'], see: files(6, Number.POSITIVE_INFINITY) },
]

/** Headings that skip a level, or a long text without any. */
function untidy(view: ArtifactView): Sighting | null {
  let last = 0
  for (const line of view.lines) {
    if (line.heading === 0) continue
    if (last > 0 && line.heading > last + 1) return { evidence: clip(line.text), line: line.number }
    last = line.heading
  }
  return last === 0 && view.text.length > 1500
    ? { evidence: 'a long text without a heading', line: null }
    : null
}

/** Every rule, in a fixed order. */
export const RULES: readonly Rule[] = [...SECTIONS, ...RISKS, ...SHAPE]
