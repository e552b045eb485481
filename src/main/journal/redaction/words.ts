// Whether a plain word behind the word "password" was chosen by a person. It may as well be a type, a state of the
// password, the name of a thing in code, or what a sentence goes on with.

/** Names of things that a variable is called by, and what documentation says in a password's place. */
export const CODE =
  /pass(?!ion)|pwd|secret|token|user|cred|input|value|field|param|config|string|hash|crypt|cipher|encod|plain|default|prompt|admin|login|request|optional|required|unknown|undefined|function|callback|anonymous|example|incorrect|invalid|missing|wrong|protect|forgot|reset|strength|minimum|maximum|character|masked|hidden|visible|database|account|postgres|varchar|boolean|integer|nullable|readonly|private|public|https?|localhost|placeholder|whatever|something|anything|nothing|disabled|enabled/i
/** What prose says about a password. */
export const PROSE =
  /(?:ed|ing|able|ible|ion|ions|ment|ity|ness|ory|ive|ally|ful|less|ous|ent|ant|ect|ical|word|words)$/i
/** How a password is, and where it is. */
const STATE =
  /^(?:strong|weak|short|empty|blank|always|never|sometimes|success|failure|failed|exists?|match(?:es)?|mismatch|secure|insecure|simple|complex|manual|automatic|automatically|generic|random|correct|correctly|older|newer|longer|shorter|later|latest|earlier|first|second|third|current|currently|previous|unique|equal|similar|identical|different|unchanged|unset|already|before|behind|below|above|inside|outside|within|without|because|available|elsewhere|somewhere|nowhere|everywhere|sensitive|case|yours|theirs|ours|mine|known|broken|stolen|leaked|common|compare|verify|verifies|change|changes|create|update|delete|remove|either|neither|another|literally|obviously|really|actually|simply|clearly|probably|bcrypt\w*|scrypt|sample|tester|schema|object|column|label|hinted|format|policy|policies|length|autocomplete|filter|search|number|email|button|submit|checkbox|keyring|keychain|manager|vault|store|stdin|stdout|buffer|handler|helper|server|client|service|session|backend|frontend|provider|connect|connection|variable|argument|option|options|setting|settings|property|attribute|constant|element|entry|record|result|response|authenticate|authentication)$/i
/** What a type is called, and how a screen calls a password in other languages. */
export const TYPE =
  /^(?:u?int|long|char|byte|bytes|blob|clob|text|mixed|any|void|never|bool|enum)$|(?:type|like|array|list|sequence|buffer|view|schema|model|dto|str|bytes|text|object|class|interface|props|state|rule|rules|policy|validator|service|manager|handler|provider|factory|options?|event|error|exception|result|response|component|widget|controller|entity|column|domain|scalar|promise|future|signal|node|kind|enum|label|title|hint|form|page|screen|icon|box|adapter|strategy|guard|store|util|utils|helper|tests?|spec)$|^(?:wachtwoord|lösenord|adgangskode|salasana|kennwort|passwort|parole|parol|hasło|heslo|senha|şifre|sifre|lozinka|jelszó|contraseña|contrasenya|clave|пароль)$/iu
/** How words for things end that somebody uses with passwords: a grant, a checker, its recovery, its history. */
export const THING =
  /(?:er|or|ry|cy|gy|ty|ly|al|ic|ics|age|ure|ism|ist|ware|ship|ance|ence|log|box|pad|file|list|name|hint|grant|s)$/i
/** What holds a sentence together; no phrase of chosen words has one. */
const JOINT =
  /^(?:a|an|and|are|as|at|be|been|but|by|can|could|do|does|for|from|has|have|he|her|his|how|if|in|into|is|it|its|may|more|must|my|no|not|of|off|on|once|only|or|our|out|shall|she|should|so|such|than|that|the|their|them|then|there|these|they|this|those|to|too|up|use|via|was|we|were|what|when|where|which|who|will|with|would|you|your)$/i

/** A word of at least so many letters that nothing of the above explains. */
export const isChosen = (word: string, least: number): boolean =>
  word.length >= least &&
  /^[\p{L}\p{M}]+$/u.test(word) &&
  !CODE.test(word) &&
  !PROSE.test(word) &&
  !STATE.test(word) &&
  !TYPE.test(word)

/** "CorrectHorse": two to four words, each of at least so many letters. */
export const isCamel = (word: string, least = 3): boolean =>
  /^(?:\p{Lu}\p{Ll}+){2,4}$/u.test(word) &&
  word.split(/(?=\p{Lu})/u).every((part) => part.length >= least) &&
  isChosen(word, 8)

/** "correct-horse-battery": three words or more, as a phrase of chosen words is joined. */
export const isChain = (value: string): boolean =>
  /^[a-z]{3,12}(?:-[a-z]{3,12}){2,11}$/.test(value) && value.split('-').every(isLink)

/** "correct horse battery staple": four words or more with single blanks between. */
export const isPhrase = (value: string): boolean =>
  /^[a-z]{3,12}(?: [a-z]{3,12}){3,24}$/.test(value) && value.split(' ').every(isLink)

const isLink = (word: string): boolean => !JOINT.test(word) && !CODE.test(word)
