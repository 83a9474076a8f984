/** Maps words to numbers, so that columns hold integers. The number of a word never changes. */
export class Dictionary {
  readonly #numbers = new Map<string, number>()
  readonly words: string[] = []

  get size(): number {
    return this.words.length
  }

  add(word: string): number {
    const known = this.#numbers.get(word)
    if (known !== undefined) return known
    const number = this.words.push(word) - 1
    this.#numbers.set(word, number)
    return number
  }

  find(word: string): number | undefined {
    return this.#numbers.get(word)
  }

  word(number: number): string {
    return this.words[number] ?? ''
  }
}
