import { randomBytes } from 'node:crypto'

/** Unique words, one per input field: a word found in an output shows that its field has leaked. */
export class Canaries {
  readonly #words = new Map<string, string>()

  /** A word for a field; letters and digits, so that most fields accept it. */
  plant(place: string): string {
    const known = this.#words.get(place)
    if (known !== undefined) return known
    const word = `canary${randomBytes(6).toString('hex')}`
    this.#words.set(place, word)
    return word
  }

  /** A value of the required format, for fields that do not accept a word. */
  place(place: string, text: string): string {
    this.#words.set(place, text)
    return text
  }

  get places(): readonly string[] {
    return [...this.#words.keys()]
  }

  /** The fields whose words are in a text. */
  findIn(text: string): string[] {
    const lowered = text.toLowerCase()
    return [...this.#words]
      .filter(([, word]) => lowered.includes(word.toLowerCase()))
      .map(([place]) => place)
      .sort()
  }
}
