/** Callers with the key of work that is running get the same promise. */
export class Coalescer<T> {
  readonly #running = new Map<string, Promise<T>>()

  run(key: string, work: () => Promise<T>): Promise<T> {
    const running = this.#running.get(key)
    if (running !== undefined) return running
    const started = work().finally(() => this.#running.delete(key))
    this.#running.set(key, started)
    return started
  }

  isRunning(key: string): boolean {
    return this.#running.has(key)
  }
}
