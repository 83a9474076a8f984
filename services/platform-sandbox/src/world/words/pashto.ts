/**
 * The inflection of names in Pashto, as far as the names of the world need it. After most
 * prepositions (د of, له from) a noun is oblique: پسرلی → پسرلي, خونه → خونې, کورونه → کورونو.
 * After په (in) only masculine nouns and plurals are: په پسرلي کې, but په خونه کې.
 */
const OF = 'د'

/** Adjectives and numbers before a noun that is not feminine in ه. */
const ADJECTIVES: ReadonlyMap<string, string> = new Map([
  ['زوړ', 'زاړه'],
  ['زړه', 'زړې'],
  ['دوه', 'دوو'],
  ['سور', 'سره'],
  ['شین', 'شنه'],
  ['نوی', 'نوي'],
  ['کوچنی', 'کوچني'],
  ['غرنی', 'غرني'],
])

/** Nouns that do not follow the endings below: a masculine one in ه, a feminine one without it. */
const IRREGULAR: ReadonlyMap<string, string> = new Map([
  ['مېلمه', 'مېلمه'],
  ['وریځ', 'وریځې'],
])

/** Words before the last one that belong to the head of a name. */
const MODIFIERS: ReadonlySet<string> = new Set(['لوی', 'نوی', 'نوې', 'نوي'])
const PLURAL = /ونه$/
const PLURAL_FEMININE = /ې$/
const MASCULINE = /[^اوۍ]ی$/
/** Not of شاه and کوه, whose last letter is a consonant. */
const FEMININE = /(?<!ا|کو)ه$/
const NUMBER = /^[۰-۹]+$/

function oblique(word: string): string {
  const irregular = IRREGULAR.get(word)
  if (irregular !== undefined) return irregular
  if (PLURAL.test(word)) return word.replace(PLURAL, 'ونو')
  if (FEMININE.test(word)) return word.replace(FEMININE, 'ې')
  return afterPe(word)
}

/** Feminine singular nouns stay direct. */
function afterPe(word: string): string {
  if (PLURAL.test(word)) return word.replace(PLURAL, 'ونو')
  if (PLURAL_FEMININE.test(word)) return word.replace(PLURAL_FEMININE, 'و')
  return MASCULINE.test(word) ? `${word.slice(0, -1)}ي` : word
}

/** The noun and the adjectives before it: درېیمه کارته (the third quarter) → درېیمې کارتې. */
function inflected(phrase: string, inflect: (word: string) => string): string {
  const words = phrase.split(' ')
  const noun = words.findLastIndex((word) => !NUMBER.test(word))
  const isFeminine = FEMININE.test(words[noun] ?? '')
  return words
    .map((word, at) => {
      if (at === noun) return inflect(word)
      if (at > noun) return word
      if (isFeminine && FEMININE.test(word)) return inflect(word)
      return isFeminine ? word : (ADJECTIVES.get(word) ?? word)
    })
    .join(' ')
}

interface Parts {
  /** `د لمر` in `د لمر هوټل` (hotel of the sun); empty for a name without a possessor. */
  readonly possessors: string
  readonly head: string
}

/** A neighbourhood after a comma is no part of the phrase. */
function partsOf(name: string): Parts {
  const [phrase = ''] = name.split('،')
  if (!phrase.startsWith(`${OF} `)) return { possessors: '', head: phrase }
  const words = phrase.split(' ')
  let first = words.findLastIndex((word) => !NUMBER.test(word))
  while (MODIFIERS.has(words[first - 1] ?? '')) first -= 1
  return {
    possessors: `${words.slice(0, first).join(' ')} `,
    head: words.slice(first).join(' '),
  }
}

/** `of the name`: a preposition stands before the last noun. */
export function ofPashto(name: string): string {
  const { possessors, head } = partsOf(name)
  return `${possessors}${OF} ${inflected(head, oblique)}`
}

export function inPashto(name: string): string {
  const { possessors, head } = partsOf(name)
  return `${possessors}په ${inflected(head, afterPe)} کې`
}

export function fromPashto(name: string): string {
  const { possessors, head } = partsOf(name)
  return `${possessors}له ${inflected(head, oblique)} څخه`
}

const FEMININE_HEADS = /(?:پلازا|ې|ه)$/

/** The adjective agrees with the last noun. */
export function newPashto(name: string): string {
  const { possessors, head } = partsOf(name)
  const adjective = PLURAL.test(head) ? 'نوي' : FEMININE_HEADS.test(head) ? 'نوې' : 'نوی'
  return `${possessors}${adjective} ${head}`
}
