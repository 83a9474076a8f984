import { randomBytes } from 'node:crypto'

/** Words that occur nowhere else: where one turns up, what it was planted in has leaked. */
export class Canaries {
  readonly #words = new Map<string, string>()

  /** A word for a place; letters and digits, so that most fields take it. */
  plant(place: string): string {
    const known = this.#words.get(place)
    if (known !== undefined) return known
    const word = `canary${randomBytes(6).toString('hex')}`
    this.#words.set(place, word)
    return word
  }

  /** Something that looks as it must look, for fields that take no word. */
  place(place: string, text: string): string {
    this.#words.set(place, text)
    return text
  }

  get places(): readonly string[] {
    return [...this.#words.keys()]
  }

  /** The places whose words are in a text. */
  findIn(text: string): string[] {
    const lowered = text.toLowerCase()
    return [...this.#words]
      .filter(([, word]) => lowered.includes(word.toLowerCase()))
      .map(([place]) => place)
      .sort()
  }
}
