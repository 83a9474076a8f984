/**
 * One after the other for each key, in the order they came. A guest who sends many requests at once
 * then holds one database connection of this process, not all of them.
 */
export class Turns {
  readonly #tails = new Map<string, Promise<void>>()

  async take<T>(key: string, work: () => Promise<T>): Promise<T> {
    const turn = this.#after(this.#tails.get(key), work)
    const tail = turn.then(nothing, nothing)
    this.#tails.set(key, tail)
    try {
      return await turn
    } finally {
      if (this.#tails.get(key) === tail) this.#tails.delete(key)
    }
  }

  async #after<T>(before: Promise<void> | undefined, work: () => Promise<T>): Promise<T> {
    await before
    return await work()
  }
}

function nothing(): void {}
