// Text that speaks to whoever summarises it. It is data like all other text, but a model that obeys once would put
// somebody else's words into memory as its own; so such a text never reaches one, and rules tell it.

/** Characters of a text that are searched, from its beginning and its end. */
const READ = 200_000

const IGNORE = 'ignore|disregard|forget|override|bypass|skip|drop|do not follow|stop following'
const EARLIER =
  'previous|prior|earlier|above|preceding|foregoing|all (?:of )?(?:the |your |these )?(?:other )?|any|your|system|these|those|original|initial|the'
const ORDER = 'instructions?|prompts?|rules?|directions?|guidelines?|directives?|commands?|context'

const PATTERNS: readonly RegExp[] = [
  // In the words of those who try it.
  new RegExp(`\\b(?:${IGNORE})\\b[^.\\n]{0,20}\\b(?:${EARLIER})\\b[^.\\n]{0,30}\\b(?:${ORDER})\\b`, 'iu'),
  /\b(?:new|updated|real|actual|hidden|secret|important|urgent) (?:system )?(?:instructions?|prompt|directives?)\b\s*[:.\-—]/iu,
  /\bsystem prompt\b|\bjail ?break|\bdeveloper mode\b|\bDAN mode\b/iu,
  /\byou are (?:now|no longer|actually)\b[^.\n]{0,60}\b(?:assistant|model|ai|bot|agent|summari[sz]er|admin|root|mode|[A-Z]{3,})/iu,
  /\b(?:note|message|instructions?|attention|reminder|orders?|memo)\b[^.\n]{0,12}\b(?:to|for)\b[^.\n]{0,12}\b(?:summari[sz](?:er|ing)|the (?:ai|llm|model|assistant|reader)|(?:an? )?(?:ai|llm|language model)s?|whoever (?:reads|summari[sz]es)|claude|gpt|chatgpt|curator|fovea)\b/iu,
  /\b(?:ai|llm|language models?|assistants?|summari[sz]ers?|curator|fovea)\b\s*(?:[:,]|must|should|shall|has to|have to|is to|are to)\s[^.\n]{0,60}\b(?:say|write|output|print|answer|respond|reply|report|state|return|claim|include|mention|summari[sz]e|conclude|record|remember|tell|obey|omit)\b/iu,
  // Orders about the summary itself.
  /\b(?:when|if|while|before|after|as) (?:you(?:'re| are)? )?summari[sz](?:e|ing)\b/iu,
  /\b(?:in|as|for|of|into|to|from) (?:your|the|this|any|every|its) (?:summar(?:y|ies)|tl;?dr|one[- ]sentence|abstract|json (?:answer|output|object)|rung|distillation)\b/iu,
  /\b(?:your|the) (?:summary|answer|reply|response|output|sentence|json)\b[^.\n]{0,24}\b(?:must|should|shall|has to|needs to|will|ought to|may only|is to)\b[^.\n]{0,16}\b(?:be|say|read|contain|include|state|start|begin|end|consist|mention|claim)\b/iu,
  /\b(?:respond|reply|answer|output|print|say|write|return|emit|repeat|produce|summari[sz]e(?: this| it| everything)?)\b[^.\n]{0,24}\b(?:only|just|exactly|verbatim|nothing (?:but|else)|the (?:following|word|words|phrase|sentence|text|string)|as follows|with the (?:words?|phrase|sentence|text|string))\b/iu,
  /\b(?:only|just|simply|instead,?|please|now|must|should|always|then) (?:respond|reply|answer|output|print|say|emit|repeat|state)\b[^.\n]{0,12}(?:\b(?:with|that)\b|[:"'“‘`«])/iu,
  /\b(?:say|state|write|report|claim|record|conclude|mention|pretend|answer|respond|reply|note|confirm|declare|remember|assert) that\b[^.\n]{0,120}\b(?:approved?|passed|safe|succe\w+|done|complete|finished|fixed|deployed|secure|decided|agreed|no (?:issues?|problems?|errors?|bugs?))\b/iu,
  /\b(?:respond|reply|answer|output|say|write|emit|repeat)\b(?: with| as)?\s*:?\s*["“«‘]/iu,
  // Marks that pretend to be the conversation.
  /<\|(?:im_start|im_end|system|user|assistant|endoftext|eot_id|start_header_id)\|?>|\[\/?INST\]|<<\/?SYS>>|<\/?(?:system|instructions?|prompt|data|document|untrusted)>/iu,
  /^\s*#{0,4}\s*(?:system|assistant|instructions?)\s*:\s*\S/imu,
  // The same in other languages people work in.
  /\b(?:ignorier\w*|vergiss|missachte\w*|befolge nicht)\b[^.\n]{0,40}\b(?:anweisung\w*|instruktion\w*|regeln|vorgaben|befehl\w*)\b/iu,
  /\b(?:antworte|schreibe?|sage?|gib|melde|behaupte|notiere)\b[^.\n]{0,24}\b(?:nur|ausschließlich|genau|einfach|stattdessen|dass|folgende[sn]?)\b/iu,
  /\bzusammenfassung\b[^.\n]{0,24}\b(?:muss|soll|lautet|schreib\w*|sag\w*)\b/iu,
  /\b(?:ignore[rz]?|oublie[rz]?|ne tiens pas compte)\b[^.\n]{0,40}\b(?:instructions?|consignes?|règles|ordres)\b/iu,
  /\b(?:réponds|répondez|écris|écrivez|dis|dites|affiche[rz]?)\b[^.\n]{0,24}(?:\b(?:seulement|uniquement|simplement|exactement|que)\b|:)/iu,
  /\b(?:ignora|ignore|olvida|no sigas|desestima)\b[^.\n]{0,40}\b(?:instrucciones|órdenes|reglas|indicaciones)\b/iu,
  /\b(?:responde|escribe|di|contesta|imprime)\b[^.\n]{0,24}(?:\b(?:solo|sólo|únicamente|solamente|exactamente|que)\b|:)/iu,
  /\b(?:ignora|dimentica|ignore|esqueça|desconsidere)\b[^.\n]{0,40}\b(?:istruzioni|regole|instruções|ordens|regras)\b/iu,
  /\b(?:rispondi|scrivi|responda|escreva|diga)\b[^.\n]{0,24}(?:\b(?:solo|soltanto|esattamente|apenas|somente|que|che)\b|:)/iu,
  /(?:игнорируй|забудь|не обращай внимания)[^.\n]{0,40}(?:инструкци|указани|правил)/iu,
  /(?:ответь|напиши|скажи|выведи)[^.\n]{0,24}(?:только|что|ровно)/iu,
  /(?:忽略|无视|忘记|不要理会)[^。\n]{0,16}(?:指令|指示|提示|规则|说明)|(?:只|仅)(?:需)?(?:回答|输出|回复|写)/u,
  /(?:無視|忘れ)[^。\n]{0,16}|(?:指示|命令|プロンプト)[^。\n]{0,16}(?:無視|忘れ)|(?:とだけ|のみ)(?:答え|書|出力|返)/u,
]

/** Whether a text gives orders to its reader rather than telling of work. */
export function givesOrders(text: string): boolean {
  const read = text.length > READ ? `${text.slice(0, READ / 2)}\n${text.slice(-READ / 2)}` : text
  const plain = read.normalize('NFKC').replace(/\p{Cf}/gu, '')
  return PATTERNS.some((pattern) => pattern.test(plain))
}
