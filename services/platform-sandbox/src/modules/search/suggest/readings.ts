/** How a text may be meant: the name of a place, and words that say where it lies. */
export interface Reading {
  readonly name: string
  readonly context: readonly string[]
}

/** Words that say only what kind of place is meant, in English, Pashto, Dari, Arabic and others. */
const KINDS: ReadonlySet<string> = new Set(
  (
    'city town of the province state district region wilayat velayat vilayat shahr shahri emirate ' +
    'emirato emiraat de governorate hotels hotel in near e i gorad lungsod ng vilojati ' +
    'شهر ښار ولایت ښارګوټی د مدینه محافظه هوتل هوټل هتل در په'
  ).split(' '),
)

/** Longer texts are read literally only. */
const SPLIT_WORDS_MAX = 6

export interface Readings {
  /** The text is a name: as it is, and without the words for kinds of places. */
  readonly whole: readonly Reading[]
  /** The text is a name and where that is, in either order. */
  readonly split: readonly Reading[]
}

/** Most literal first. */
export function readingsOf(words: readonly string[]): Readings {
  const plain = words.filter((word) => !KINDS.has(word))
  const whole = plain.length === words.length ? [words] : [words, plain]
  const split: Reading[] = []
  const splits = plain.length > SPLIT_WORDS_MAX ? 0 : plain.length - 1
  for (let at = splits; at > 0; at -= 1) {
    const [first, last] = [plain.slice(0, at), plain.slice(at)]
    split.push({ name: first.join(' '), context: last }, { name: last.join(' '), context: first })
  }
  return { whole: whole.filter(isName).map(literal), split }
}

function isName(words: readonly string[]): boolean {
  return words.length > 0
}

function literal(words: readonly string[]): Reading {
  return { name: words.join(' '), context: [] }
}
