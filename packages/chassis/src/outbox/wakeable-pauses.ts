/** Pauses that end with the signal, and some of them when there is work. */
export class WakeablePauses {
  readonly #signal: AbortSignal
  readonly #wakers = new Set<() => void>()
  #wakes = 0

  constructor(signal: AbortSignal) {
    this.#signal = signal
  }

  /** A worker that was busy during a wake notices by comparing it with an earlier value. */
  get wakes(): number {
    return this.#wakes
  }

  wake(): void {
    this.#wakes += 1
    for (const wake of this.#wakers) wake()
  }

  pause(durationMs: number, wakeable: boolean): Promise<void> {
    return new Promise((resolve) => {
      const finish = () => {
        clearTimeout(timer)
        this.#wakers.delete(finish)
        this.#signal.removeEventListener('abort', finish)
        resolve()
      }
      const timer = setTimeout(finish, durationMs)
      if (wakeable) this.#wakers.add(finish)
      if (this.#signal.aborted) finish()
      else this.#signal.addEventListener('abort', finish, { once: true })
    })
  }
}
