/** Runs work of one key one after the other, in the order of the calls, within this process. */
export class KeyedMutex {
  readonly #tails = new Map<string, Promise<void>>()

  async runExclusive<T>(key: string, work: () => Promise<T>): Promise<T> {
    const running = this.#after(this.#tails.get(key), work)
    const tail = running.then(ignore, ignore)
    this.#tails.set(key, tail)
    try {
      return await running
    } finally {
      if (this.#tails.get(key) === tail) this.#tails.delete(key)
    }
  }

  async #after<T>(before: Promise<void> | undefined, work: () => Promise<T>): Promise<T> {
    await before
    return await work()
  }
}

function ignore(): void {}
