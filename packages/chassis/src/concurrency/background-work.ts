/** At the bound new work is dropped and counted: it must never cause an outage. */
const RUNNING_MAX = 1_000

export interface BackgroundOptions {
  readonly onError: (error: unknown) => void
  readonly onDropped: () => void
}

/** Work that no response waits for. It is finished before the service stops. */
export class BackgroundWork implements AsyncDisposable {
  readonly #running = new Map<string, Promise<void>>()
  readonly #options: BackgroundOptions

  constructor(options: BackgroundOptions) {
    this.#options = options
  }

  /**
   * Does nothing while work of the same name is running.
   * @returns whether the work was started.
   */
  run(name: string, work: () => Promise<unknown>): boolean {
    if (this.#running.has(name)) return false
    if (this.#running.size >= RUNNING_MAX) {
      this.#options.onDropped()
      return false
    }
    const running = this.#attempt(work).finally(() => this.#running.delete(name))
    this.#running.set(name, running)
    return true
  }

  /** A synchronous failure must not fail the response that started the work. */
  async #attempt(work: () => Promise<unknown>): Promise<void> {
    try {
      await work()
    } catch (error) {
      this.#options.onError(error)
    }
  }

  /** Includes work that was started while waiting. */
  async [Symbol.asyncDispose](): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running.values())
  }
}
