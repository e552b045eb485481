// Words of engineering work that say what a sentence does.

const MADE =
  'added|fixed|implemented|updated|changed|removed|deleted|replaced|created|moved|renamed|refactored|merged|migrated|resolved|completed|finished|wrote|written|built|installed|configured|enabled|disabled|reverted|rolled back|deployed|released|upgraded|downgraded|extracted|introduced|switched|committed|pushed|verified|confirmed|corrected|restored|cleaned up|inlined|inverted|replied|commented|documented|saved|dropped|cached|batched|simplified|split|passed'

/** Something was done, somewhere in the sentence. */
export const DONE = new RegExp(`\\b(?:${MADE})\\b`, 'i')

/** The sentence is a report of it: "Added …", "I've renamed …", "has been removed", "Now shows …". */
export const REPORT = new RegExp(
  `^(?:now:? |previously:? |(?:all|both|every)\\b.{0,40}\\b)?(?:${MADE})\\b|\\b(?:i|we)(?:'ve| have)? (?:also |now |just |already )?(?:${MADE})\\b|\\b(?:has|have|was|were|is|are|been|got) (?:now |all |already |just )?(?:${MADE})\\b|^(?:\\S+ ){1,4}(?:written|saved|added|pushed|committed|merged|moved|posted|applied) (?:to|in|into|and|as)\\b`,
  'i',
)

/** A check came out, or something was measured. */
export const RESULT =
  /\b(?:(?:tests?|checks?|lint(?:ing|er)?|build|formatting|types?|ci)\b.{0,40}\b(?:pass(?:es|ed|ing)?|fail(?:s|ed|ing)?|clean|green|red)|(?:pass(?:es|ed)?|works|working) (?:now|again|correctly)|(?:is|are|now) (?:working|clean|complete|faster|slower)|no longer|regression|timed? out|crash(?:es|ed)?|succe(?:eds?|eded|ss)|fail(?:s|ed|ing)\b)|~?\d[\d,.]*\s?(?:ms|s|%|x|kb|mb|gb|lines|times)(?![\p{L}\p{N}])/iu

/** Why something is as it is. */
export const CAUSE =
  /\b(?:root cause|turns? out|because|caused by|(?:real |actual |main |root |core )?(?:problem|issue|bug|cause|reason|error|culprits?|limitation|defect|gap|pattern) (?:here )?(?:is|was|are|were)\b|this is (?:the|a|an) (?:\w+ )?(?:bug|issue|problem|limitation|regression|defect|gap|trap)|that's (?:the|why|a) |which (?:is|explains) why|it's why|so the (?:issue|problem|bug))|\bis the (?:killer|culprit|bug|problem)\b/i

/** How things stand, told as found: what is there, is missing, is wrong. */
export const FINDING =
  /\b(?:does(?:n't| not)|do(?:n't| not)|did(?:n't| not)|is(?:n't| not)|are(?:n't| not)|was(?:n't| not)|can(?:'t|not)|never|nobody|no (?:mention|test|filter|phase|reason|way|direct|explicit|reuse|streaming)|missing|lacks?|wrong|stale|ignor(?:es|ed)|drop(?:s|ped)|lost|overwrit(?:es|ten)|leftover|broken|incorrect(?:ly)?|incomplete|already|only (?:works|uses|one|checks)|instead of|inconsistent|contradict\w*|duplicate[sd]?|orphan(?:ed)?|redundant|unused|un\w+ed|there(?:'s| is| are) (?:a|an|no|still|only)|exists?|returns?|found|defaults? to|requires?|stuck|noisy|wasteful|weak|defect|superseded|valid|takes|waits?)\b/i

export const DECISION =
  /\b(?:decid(?:ed|e|es)|decision|cho(?:se|sen)|opted|(?:going|go|went|stick|start|proceed) with|good to go|(?:we|i)(?:'ll| will| should| shall)(?: also)? (?:use|go|keep|take|store|drop|avoid|start|stay|switch|move)|rather than|in favou?r of|(?:we|i)(?:'d)? prefer|preferred over|should (?:just |also |only |really |probably )?(?:be|use|have|live|go|keep|stay|do|return|call|clear|compare|ignore|skip|become)|should just|(?:clean\w*|simple\w*|best|right|better|light\w*|natural|proper)[ -](?:\w+ )?(?:fix|solution|approach|way|option|home|place)|best place|the fix (?:is|should|would)|(?:a|the) \w+ approach (?:is|would|might)|agreed|settled on|(?:i'd|i would|we) recommend|recommendation|let's (?:use|go|keep|do|drop|stick)|will not|won't|keep(?:ing)? .{1,40} as is|clear scope|we just need|i'd (?:say|go|suggest))\b/i

/** The agent says what it will change, which is a choice; what it will look at is not. */
export const INTENT =
  /^(?:so |now |then |also )*(?:i'll|i will|i'm going to|we'll|(?:i|we)(?: just)? need to|need to|needs to)(?: also| now| just)? (?:add|use|update|change|make|keep|remove|replace|rename|move|put|store|silence|suppress|fix|set|pass|wire|switch|return|drop|revert|extract|inline|split|skip|write)\b/i

export const CONSTRAINT =
  /\b(?:must(?: not|n't)?|never|always|may not|shall not|requires?|required|cannot|can't|do not|don't|has to|have to|at most|at least|no more than|only (?:if|when|on|in|the)|without (?:a|any|the|breaking|touching)|limit(?:ed)? to|backwards?[- ]compatib\w*|read[- ]only|not allowed|avoid|make sure|ensure)\b/i

export const QUESTION =
  /\?["')\]]*$|\b(?:open question|unclear|not sure|unsure|to be decided|tbd|todo|unknown whether|question is whether|should we|do we|need(?:s)? (?:your|a) (?:input|decision|answer)|remaining (?:question|work|step|task)s?|still (?:need|open|to do|missing|fails?)|next steps?|left to do|follow[- ]up)\b/i

/** A question that only asks how to go on. */
export const OFFER =
  /^(?:or )?(?:want|would you|do you want|shall i|should i|ready|does (?:this|that|it|option)|which (?:approach|option|one|would)|what(?:'s| is) your|what would you|how would you|any (?:other|questions|preference)|let me know|sound good|ok(?:ay)? (?:to|if|with)|feel free|happy to|hope )/i

/** Talk about the talk with nothing behind it, an offer, or an order to another agent. */
export const ASIDE =
  /^(?:(?:that|this)(?:'s| is)|what) (?:a|an|the|such a) (?:\w+ )?(?:distinction|point|question|idea|insight|observation|concern|catch|one)[.!]*$|^(?:you can|i (?:can|could|would be happy to|'d be happy to)) (?:also )?(?:help|assist|walk you)\b|^(?:report|return|tell me|describe|summari[sz]e) (?:back )?(?:what|whether|how|which|if|the result|your)\b/i

/** A check that came out, and nothing of what was checked. */
const CHECKS = new Set(
  `build builds built test tests suite lint linter linting check checks type types formatting vet compile compiles compiled
  pass passes passed passing green clean full whole successfully succeeded run ran unit integration e2e
  errors warnings issues diagnostics failures skipped total existing everything`.split(/\s+/),
)
export const isOnlyChecks = (words: readonly string[]): boolean =>
  words.length > 0 && words.every((word) => CHECKS.has(word) || HOLLOW.has(word))

/** What may be, rather than what is. */
export const HYPOTHESIS =
  /^(?:if|when(?:ever)?|unless|in case|assuming|suppose|you (?:can|could|may|might)|ready for|maybe|perhaps)\b/i

/** A change in the voice of a commit message. */
export const IMPERATIVE =
  /^(?:add|fix|change|update|remove|move|rename|replace|introduce|implement|use|support|refactor|extract|allow|prevent|make|stop|drop|bump|switch|run|check|verify|test|pass|create|call|set|get|register|compare|track|store|invert|skip|strengthen|assert|parse)\b/i

/** Announces what will be looked at, or that something was begun. Tells nothing afterwards. */
export const ANNOUNCEMENT =
  /^(?:ok(?:ay)?,? |now,? |so,? |first,? |next,? |then,? |actually,? |here,? |and |but )*(?:let me|let's (?:see|look|check|start|verify|run|test|try|measure)|let us|i'll (?:now )?(?:also )?(?:start|begin|explore|check|look|read|search|help|review|examine|investigate|analy[sz]e|implement (?:the|this)|create (?:the|a) (?:plan|task|todo)|find|run|take|go|continue|proceed|trace|walk|try|verify|see|get|think|do)|i (?:will|need to|want to|should|have to) (?:also )?(?:check|look|see|read|understand|verify|find|explore|first|examine)|i'm (?:using|going to (?:look|check|read|explore)|reading|looking|checking)|i can see (?:the|this|now|that|your)?\s*(?:issue|problem|structure)?\.?$|i have (?:all|enough|a (?:clear|complete))|i (?:now )?(?:understand|see)\b.{0,45}$|looking (?:at|for|into|back)\b.{0,60}[:.]$|here(?:'s| is| are)\b|now i (?:have|understand|see|need|can)|(?:creating|executing|running|starting|checking|reading|now executing)\b|launching skill|skill \S+(?:$| →)|plan(?:ning)? complete|to do this|happy to|thanks?|thank you|good question|fair (?:point|enough)|no problem|absolutely|you're (?:absolutely )?(?:right|welcome)[.!]?$|got it|makes sense[.!]?$|clean(?:ing)? up|based on (?:my|this|the)\b.{0,60}:$)/i

/** Words before the point: taken off before a sentence is read and shown. */
export const LEAD =
  /^(?:(?:yeah|yep|yup|yes|no|ok|okay|right|sure|great|perfect|excellent|nice|good (?:catch|question|idea|point)(?: on \w+ \w+)?|good|alright|hmm|wait|actually|interesting(?: idea)?|ah|oh|ehh|so|also|however|and|but|well|done|hey|hi|i see|i think|i mean|exactly|correct|thanks|please|you're (?:absolutely )?(?:right|correct)|agreed)(?:,|!|\.|:| -| –| —|(?= (?:the|this|that|it|there|we|i)\b))\s+)/i

/** Says that something went well, and not what. */
export const HOLLOW = new Set(
  `implementation implemented complete completed changes change done updated update successfully success works working
  work everything file files both summary fixed fix issue problem task tasks step steps finished ready now good great
  clean clever middle ground clear picture correct correctly plan looks look solid sense result approach solution idea
  nice question point what we're building made see understand understanding bug code test tests running run final
  context information key findings observations current proposed behavior behaviour options option possible`.split(
    /\s+/,
  ),
)

/** A person asking for something. */
export const REQUEST =
  /^(?:please\s+)?(?:add|fix|implement|create|build|write|refactor|remove|delete|update|investigate|change|make|move|rename|use|find|check|run|test|review|explain|debug|set up|setup|migrate|convert|replace|improve|optimi[sz]e|deploy|document|help|show|look|continue|try|generate|design|plan|put|keep|print|commit|push|revert|drop|let's|lets)\b|\b(?:please|can you|could you|would you|i want|i'd like|i do want|i need|we need|we should|you should|should be|needs to|why (?:is|does|do|are)|how (?:do|can|to|does)|what (?:is|does|are))\b/i

/** A person who wants to know, not to change. */
export const INQUIRY =
  /^(?:please )?(?:(?:can|could|would|will) you )?(?:tell|explain|show|summari[sz]e|describe|review|help|look|find|check|list|compare|why|how|what|where|who|which|when|is|are|does|do|did|was|has|have|any|keep in mind|have in mind)\b/i

/** A person setting something right or ruling something out. */
export const CORRECTION =
  /^(?:no\b|nope|not (?:that|this|what)|don't|do not|stop|wait|instead|rather|never|undo|revert|that's (?:not|wrong))|\b(?:remove this again|not what i|i(?:'d)? (?:rather|prefer)|instead of|too much|to much|should be|don't need|no need|not needed|should not|shouldn't|i meant|actually i|we should(?:n't)?|leave (?:it|that|this)|in mind that|consider (?:adding|whether)|should just|needs? to be)\b/i

/** A list under such a line tells what was done. */
export const DONE_HEADING =
  /\b(?:changes(?: made)?|what (?:was|i) (?:done|did|changed)|summary(?: of (?:the )?(?:changes|fixes|tests))?|fixed|implemented|files (?:modified|changed)|tests added|already fixed|completed|key changes|by setting|done)\b.{0,40}:?$/i
/** A list under such a line tells what was found. */
export const FOUND_HEADING =
  /\b(?:issues?(?: found)?|problems?|found|findings|observations|bugs?|causes?|results?|root cause|weaknesses|gaps|missing)\b.{0,30}:?$/i
/** A list under such a line is what the agent means to do, or thinks should be done. */
export const TODO_HEADING =
  /\b(?:recommend(?:ations?|ed)|(?:changes|what)(?: we)?(?: are|'re)? (?:needed|required|building|need)|proposed|proposal|the (?:fix|plan|work) (?:is|would be)|so the work is|we (?:just |only )?need to|decisions?|next)\b.{0,30}:?$/i
/** A list under such a line is a plan, a procedure or a choice not made: little of it came true. */
export const ASIDE_HEADING =
  /\b(?:verification|test plan|manual(?:ly)?|files to modify|options?|possible|potential|how it works|flow|current (?:behavio|architecture|logic)|example|steps|integration pattern|implementation|alternatives?|working well|alignment|would look|setup|missing scenarios|storage)\b.{0,40}:?$/i

const STOP = new Set(
  `the a an and or but if then else of to in on at by for with from as is are was were be been being it its this that
  these those we you i he she they our your my me us them have has had do does did not no so can could will would
  should may might must there here what which who when where why how all any some more most other into out up down
  over under again also just only very than too about after before now new one two let lets please ok yes use using
  used get got make made need needs want like file files code`.split(/\s+/),
)

/** The words of a text that carry its subject, lower case, in order, at most `limit`. */
export function contentWords(text: string, limit = 2_000): string[] {
  const words: string[] = []
  for (const match of text.slice(0, 40_000).matchAll(/[\p{L}][\p{L}\p{N}_-]{2,30}/gu)) {
    const word = match[0].toLowerCase()
    if (!STOP.has(word)) words.push(word)
    if (words.length >= limit) break
  }
  return words
}

/** Whether a lower-case word says nothing of what a text is about. */
export const isStopWord = (word: string): boolean => STOP.has(word)
