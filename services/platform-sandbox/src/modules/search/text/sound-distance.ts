import { SOUNDS } from './phonemes.ts'

/**
 * How far two sequences of sounds are apart: an edit distance (with transpositions) whose costs
 * follow how names are transcribed and mistyped. Vowels are often written differently or omitted,
 * `h`, `w` and `y` come and go, and related consonants replace each other. Costs are in hundredths,
 * so that they add up exactly.
 */
const VOWEL_CHANGE = 20
const VOWEL_GAP = 20
const WEAK_GAP = 30
const CONSONANT_GAP = 100
const CONSONANT_CHANGE = 100
const TRANSPOSITION = 80

const VOWELS = 'aiu'
const WEAK = 'hw'

const RELATED: readonly (readonly [pair: string, cost: number])[] = [
  ['uw', 20],
  ['ij', 40],
  ['sS', 40],
  ['xh', 40],
  ['jz', 40],
  ['gh', 50],
  ['gk', 50],
  ['gx', 50],
  ['xk', 50],
  ['kc', 50],
  ['bp', 50],
  ['dt', 50],
  ['sz', 50],
  ['fw', 50],
  ['fp', 50],
  ['bw', 50],
  ['jc', 50],
  ['jg', 50],
  ['cS', 50],
  ['cs', 50],
  ['zd', 50],
  ['xS', 50],
  ['mn', 70],
]

const SIZE = SOUNDS.length
const GAPS = Int16Array.from(SOUNDS, (sound) => gapOf(sound))
const CHANGES = buildChanges()

function gapOf(sound: string): number {
  if (VOWELS.includes(sound)) return VOWEL_GAP
  return WEAK.includes(sound) ? WEAK_GAP : CONSONANT_GAP
}

function buildChanges(): Int16Array {
  const costs = new Int16Array(SIZE * SIZE).fill(CONSONANT_CHANGE)
  const set = (a: string, b: string, cost: number) => {
    costs[SOUNDS.indexOf(a) * SIZE + SOUNDS.indexOf(b)] = cost
    costs[SOUNDS.indexOf(b) * SIZE + SOUNDS.indexOf(a)] = cost
  }
  for (const a of VOWELS) for (const b of VOWELS) set(a, b, VOWEL_CHANGE)
  for (const [pair, cost] of RELATED) set(pair.charAt(0), pair.charAt(1), cost)
  for (const sound of SOUNDS) set(sound, sound, 0)
  return costs
}

/** Sounds as numbers; computed once per name. */
export interface Sounds {
  readonly length: number
  readonly numbers: Uint8Array
  /** One bit per consonant that occurs, except weak ones. */
  readonly consonants: number
}

export function toSounds(phonemes: string): Sounds {
  const numbers = Uint8Array.from(phonemes, (sound) => SOUNDS.indexOf(sound))
  let consonants = 0
  for (const number of numbers) if (GAPS[number] === CONSONANT_GAP) consonants |= 1 << number
  return { length: numbers.length, numbers, consonants }
}

/** The first consonant of a name is rarely wrong; vowels and weak sounds are often omitted. */
const OTHER_START = 20

/** To be added to the distance of names that start with different consonants. */
export function startCost(one: Sounds, other: Sounds): number {
  const [a = 0, b = 0] = [one.numbers[0], other.numbers[0]]
  const isAlike = a === b || GAPS[a] !== CONSONANT_GAP || GAPS[b] !== CONSONANT_GAP
  return isAlike ? 0 : OTHER_START
}

/** The least cost of a consonant that the name does not have. */
const LEAST_CHANGE = 40

/** Most names lack too many of the typed consonants, and need no comparison. */
function isFar(typed: Sounds, name: Sounds, limit: number): boolean {
  let missing = typed.consonants & ~name.consonants
  for (let cost = 0; missing !== 0; missing &= missing - 1) {
    cost += LEAST_CHANGE
    if (cost > limit) return true
  }
  return (typed.length - name.length) * VOWEL_GAP > limit
}

export interface Distances {
  /** From the whole name. */
  readonly whole: number
  /** From the beginning of the name that is nearest. */
  readonly prefix: number
}

export const FAR: Distances = { whole: Number.POSITIVE_INFINITY, prefix: Number.POSITIVE_INFINITY }

const WIDTH_MAX = 96
/** Comparisons run one after the other and share three rows. */
const rows = [0, 1, 2].map(() => new Int32Array(WIDTH_MAX + 1))

/** `FAR` as soon as both distances exceed the limit. */
export function soundDistance(typed: Sounds, name: Sounds, limit: number): Distances {
  if (isFar(typed, name, limit)) return FAR
  return compare(typed.numbers, name.numbers, limit)
}

function compare(typed: Uint8Array, name: Uint8Array, limit: number): Distances {
  const width = Math.min(name.length, WIDTH_MAX)
  let [twoBack, back, row] = rows as [Int32Array, Int32Array, Int32Array]
  back[0] = 0
  for (let at = 1; at <= width; at += 1) {
    back[at] = (back[at - 1] ?? 0) + (GAPS[name[at - 1] ?? 0] ?? 0)
  }
  let leastBack = 0
  for (let line = 1; line <= typed.length; line += 1) {
    const own = typed[line - 1] ?? 0
    const before = line > 1 ? (typed[line - 2] ?? 0) : -1
    const gap = GAPS[own] ?? 0
    row[0] = (back[0] ?? 0) + gap
    let least = row[0]
    for (let at = 1; at <= width; at += 1) {
      const other = name[at - 1] ?? 0
      let cost = (back[at - 1] ?? 0) + (CHANGES[own * SIZE + other] ?? 0)
      const added = (back[at] ?? 0) + gap
      if (added < cost) cost = added
      const omitted = (row[at - 1] ?? 0) + (GAPS[other] ?? 0)
      if (omitted < cost) cost = omitted
      if (at > 1 && other === before && own === name[at - 2] && own !== other) {
        const swapped = (twoBack[at - 2] ?? 0) + TRANSPOSITION
        if (swapped < cost) cost = swapped
      }
      row[at] = cost
      if (cost < least) least = cost
    }
    // A transposition continues from the row before the last one.
    if (least > limit && leastBack > limit) return FAR
    leastBack = least
    ;[twoBack, back, row] = [back, row, twoBack]
  }
  let prefix = back[0] ?? 0
  for (let at = 1; at <= width; at += 1) prefix = Math.min(prefix, back[at] ?? prefix)
  return { whole: back[width] ?? 0, prefix }
}

const LIMITS = [0, 0, 0, 40, 80, 100, 110, 130, 150, 170]

/** The largest distance at which a name with this many sounds is still recognised. */
export function toleranceFor(sounds: number): number {
  return LIMITS[Math.min(sounds, LIMITS.length - 1)] ?? 0
}
