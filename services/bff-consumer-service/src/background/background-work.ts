/** At the bound new work is dropped and counted: nothing here is worth an outage. */
const RUNNING_MAX = 1_000

export interface BackgroundOptions {
  readonly onError: (error: unknown) => void
  readonly onDropped: () => void
}

/** What a guest need not wait for. It is still finished before the service ends. */
export class BackgroundWork implements AsyncDisposable {
  readonly #running = new Map<string, Promise<void>>()
  readonly #options: BackgroundOptions

  constructor(options: BackgroundOptions) {
    this.#options = options
  }

  /** Work of the same name that still runs stands for this one, too. */
  run(name: string, work: () => Promise<unknown>): void {
    if (this.#running.has(name)) return
    if (this.#running.size >= RUNNING_MAX) {
      this.#options.onDropped()
      return
    }
    const running = this.#attempt(work).finally(() => this.#running.delete(name))
    this.#running.set(name, running)
  }

  /** Also what fails before its first step must not fail the answer that began it. */
  async #attempt(work: () => Promise<unknown>): Promise<void> {
    try {
      await work()
    } catch (error) {
      this.#options.onError(error)
    }
  }

  /** Also what began while others were waited for. */
  async [Symbol.asyncDispose](): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running.values())
  }
}
