// Words of engineering work that say what a sentence does.

export const DONE =
  /\b(?:added|fixed|implemented|updated|changed|removed|deleted|replaced|created|moved|renamed|refactored|merged|migrated|resolved|completed|finished|wrote|written|built|installed|configured|enabled|disabled|reverted|rolled back|deployed|released|upgraded|downgraded|extracted|introduced|switched|committed|pushed|verified|confirmed|corrected|restored|cleaned up)\b/i

export const OUTCOME =
  /\b(?:pass(?:es|ed|ing)?|fail(?:s|ed|ing|ure)?|works?(?: now)?|worked|succe(?:ss(?:ful(?:ly)?)?|eds?|eded)|broken?|breaks|crash(?:es|ed)?|root cause|turns? out|because|caused by|the (?:problem|issue|bug|cause|reason|error) (?:is|was)|now (?:returns?|uses?|reads?|writes?|handles?|has|shows?)|no longer|regression|faster|slower|timed? out|is (?:complete|done|ready|live))\b/i

export const DECISION =
  /\b(?:decid(?:ed|e|es)|decision|cho(?:se|sen)|opted|(?:going|go|went) with|(?:we|i)(?:'ll| will| should| shall) (?:use|go|keep|take|store|drop|avoid|start|stay|switch|move)|instead of|rather than|in favou?r of|(?:we|i)(?:'d)? prefer|preferred over|should just|(?:cleanest|simplest|best|right) (?:fix|solution|approach|way|option) (?:is|would be|was)|agreed|settled on|recommend(?:ed|ation)?|let's (?:use|go|keep|do|drop|stick)|stick with|will not|won't|keep(?:ing)? .{1,40} as is)\b/i

export const CONSTRAINT =
  /\b(?:must(?: not|n't)?|never|always|may not|shall not|requires?|required|cannot|can't|do not|don't|needs? to|has to|have to|at most|at least|no more than|only (?:if|when|on|in|the)|without (?:a|any|the|breaking|touching)|limit(?:ed)?|backwards?[- ]compatib\w*|read[- ]only|not allowed|avoid|make sure|ensure)\b/i

export const QUESTION =
  /\?["')\]]*$|\b(?:open question|unclear|not sure|unsure|to be decided|tbd|todo|unknown whether|should we|do we|need(?:s)? (?:your|a) (?:input|decision|answer)|remaining|still (?:need|open|to do|missing|fails?)|next steps?|left to do|follow[- ]up)\b/i

/** What may be, rather than what is. */
export const HYPOTHESIS =
  /^(?:if|when(?:ever)?|unless|in case|assuming|suppose|you (?:can|could|may|might)|ready for)\b/i

/** A change in the voice of a commit message. */
export const IMPERATIVE =
  /^(?:add|fix|change|update|remove|move|rename|replace|introduce|implement|use|support|refactor|extract|allow|prevent|make|stop|drop|bump|switch)\b/i

/** Talk about the talk: announces, thanks, agrees. */
export const FILLER =
  /^(?:ok(?:ay)?|yeah|yep|right|sure|great|perfect|excellent|good|nice|thanks?|thank you|yes|no problem|absolutely|you're|let me|i'll|i will|i'm going to|i need to|i can see|i see|now (?:let|i)|here(?:'s| is| are)|looking|first,? (?:let|i)|to (?:do|start)|happy to|hope|feel free|(?:or )?would you|do you want|want me|which (?:approach|option|one)|let's (?:see|look|check|start)|alright|hmm|wait|actually,? (?:let|i))\b/i

/** A person asking for something. */
export const REQUEST =
  /^(?:please\s+)?(?:add|fix|implement|create|build|write|refactor|remove|delete|update|investigate|change|make|move|rename|use|find|check|run|test|review|explain|debug|set up|setup|migrate|convert|replace|improve|optimi[sz]e|deploy|document|help|show|look|continue|try|generate|design|plan)\b|\b(?:please|can you|could you|would you|i want|i'd like|i need|we need|we should|you should|why (?:is|does|do|are)|how (?:do|can|to|does)|what (?:is|does|are))\b/i

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
