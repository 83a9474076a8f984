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
    if (text === '') throw new Error(`the ${place} is empty, and every text contains it`)
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

  /**
   * The fields found in texts that begin with their place (`table: …`), by place.
   * @param allowed fields that a place is meant to contain.
   */
  leaksIn(
    texts: readonly string[],
    allowed: Readonly<Record<string, readonly string[]>> = {},
  ): Record<string, string[]> {
    const found: Record<string, string[]> = {}
    for (const text of texts) {
      const [place = ''] = text.split(': ', 1).map((name) => name.replace(/:\{.*\}$/, ''))
      const leaked = this.findIn(text).filter((field) => !allowed[place]?.includes(field))
      if (leaked.length > 0) found[place] = [...new Set([...(found[place] ?? []), ...leaked])]
    }
    return found
  }
}
