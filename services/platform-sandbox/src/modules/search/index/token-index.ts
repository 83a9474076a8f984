import { toPhonemes } from '../text/phonemes.ts'
import {
  type Sounds,
  soundDistance,
  startCost,
  toleranceFor,
  toSounds,
} from '../text/sound-distance.ts'

/** Words of a longer text are ignored. */
export const WORDS_MAX = 8

export interface TextMatch {
  /** One bit per word of the query, set where a name or place of the listing starts with it. */
  readonly found: Uint8Array
  /** The same, for names only. */
  readonly named: Uint8Array
  /** The same, for the first words of names. */
  readonly leading: Uint8Array
  /** Whether a word of the query starts no word of any listing, and similar ones were taken. */
  readonly isSimilar: boolean
}

type Marks = Omit<TextMatch, 'isSimilar'>

interface ListingWords {
  readonly names: ReadonlySet<string>
  /** The first words of the names. */
  readonly leads: ReadonlySet<string>
  readonly places: ReadonlySet<string>
}

const OF_NAME = 1
const LEADS = 2
/** A posting is the row shifted by the two flags. */
const FLAG_BITS = 2

/** Maps every word, by prefix, to its listings. */
export class TokenIndex {
  readonly #postings = new Map<string, number[]>()
  readonly #words = new Map<number, ListingWords>()
  /** Of every distinct word, from the first comparison on. */
  readonly #sounds = new Map<string, Sounds>()
  #sorted: string[] | undefined

  put(row: number, words: ListingWords): void {
    this.remove(row)
    this.#words.set(row, words)
    const place = row << FLAG_BITS
    for (const word of words.names) {
      this.#add(word, place | OF_NAME | (words.leads.has(word) ? LEADS : 0))
    }
    for (const word of words.places) if (!words.names.has(word)) this.#add(word, place)
  }

  remove(row: number): void {
    const words = this.#words.get(row)
    if (words === undefined) return
    this.#words.delete(row)
    for (const word of words.names) this.#drop(word, row)
    for (const word of words.places) if (!words.names.has(word)) this.#drop(word, row)
  }

  match(words: readonly string[], capacity: number): TextMatch {
    const bits = () => new Uint8Array(capacity)
    const marks = { found: bits(), named: bits(), leading: bits() }
    let isSimilar = false
    for (const [index, word] of words.slice(0, WORDS_MAX).entries()) {
      const exact = this.#startingWith(word)
      const known = exact.length > 0 ? exact : this.#similarTo(word)
      if (exact.length === 0 && known.length > 0) isSimilar = true
      for (const each of known) this.#mark(marks, each, 1 << index)
    }
    return { ...marks, isSimilar }
  }

  #startingWith(prefix: string): string[] {
    const sorted = this.#sortedWords()
    const words: string[] = []
    for (let at = lowerBound(sorted, prefix); at < sorted.length; at += 1) {
      const word = sorted[at] ?? ''
      if (!word.startsWith(prefix)) break
      words.push(word)
    }
    return words
  }

  /** The words of listings that sound most like this one. */
  #similarTo(word: string): string[] {
    const typed = toSounds(toPhonemes(word))
    let least = toleranceFor(typed.length)
    if (least === 0) return []
    let nearest: string[] = []
    for (const known of this.#postings.keys()) {
      const sounds = this.#soundsOf(known)
      const distance = soundDistance(typed, sounds, least).whole + startCost(typed, sounds)
      if (distance > least) continue
      if (distance < least) nearest = []
      nearest.push(known)
      least = distance
    }
    return nearest
  }

  #soundsOf(word: string): Sounds {
    let sounds = this.#sounds.get(word)
    if (sounds === undefined) {
      sounds = toSounds(toPhonemes(word))
      this.#sounds.set(word, sounds)
    }
    return sounds
  }

  #mark({ found, named, leading }: Marks, word: string, bit: number): void {
    for (const posting of this.#postings.get(word) ?? []) {
      const row = posting >> FLAG_BITS
      found[row] = (found[row] ?? 0) | bit
      if (posting & OF_NAME) named[row] = (named[row] ?? 0) | bit
      if (posting & LEADS) leading[row] = (leading[row] ?? 0) | bit
    }
  }

  #add(word: string, posting: number): void {
    const postings = this.#postings.get(word)
    if (postings !== undefined) {
      postings.push(posting)
      return
    }
    this.#postings.set(word, [posting])
    if (this.#sorted) this.#sorted.splice(lowerBound(this.#sorted, word), 0, word)
  }

  #drop(word: string, row: number): void {
    const known = this.#postings.get(word) ?? []
    const postings = known.filter((posting) => posting >> FLAG_BITS !== row)
    if (postings.length > 0) {
      this.#postings.set(word, postings)
      return
    }
    this.#postings.delete(word)
    this.#sounds.delete(word)
    this.#sorted?.splice(lowerBound(this.#sorted, word), 1)
  }

  /** Sorted once after the load; later words are inserted in place. */
  #sortedWords(): string[] {
    this.#sorted ??= [...this.#postings.keys()].sort()
    return this.#sorted
  }
}

function lowerBound(sorted: readonly string[], word: string): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? '') < word) low = middle + 1
    else high = middle
  }
  return low
}
