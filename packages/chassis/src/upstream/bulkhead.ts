/** All slots are used and the queue is full. */
export class BulkheadFullError extends Error {
  override readonly name = 'BulkheadFullError'
}

export interface BulkheadLimits {
  concurrentMax: number
  queueMax: number
}

/** Limits how many calls run at once; further ones wait in order, up to a maximum. */
export class Bulkhead {
  readonly #queueMax: number
  readonly #queue = new Set<() => void>()
  #free: number

  constructor({ concurrentMax, queueMax }: BulkheadLimits) {
    this.#free = concurrentMax
    this.#queueMax = queueMax
  }

  /** A call that is still queued when the signal is aborted never runs. */
  async run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    if (this.#free > 0) this.#free -= 1
    else await this.#waitForSlot(signal)
    try {
      return await work()
    } finally {
      this.#release()
    }
  }

  async #waitForSlot(signal: AbortSignal): Promise<void> {
    if (this.#queue.size >= this.#queueMax) throw new BulkheadFullError('too many calls at once')
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const stopWaiting = () => {
      this.#queue.delete(resolve)
      reject(signal.reason)
    }
    this.#queue.add(resolve)
    signal.addEventListener('abort', stopWaiting, { once: true })
    try {
      await promise
    } finally {
      signal.removeEventListener('abort', stopWaiting)
    }
  }

  /** The slot goes to the call that has waited longest, without becoming free in between. */
  #release(): void {
    const [next] = this.#queue
    if (next === undefined) this.#free += 1
    else {
      this.#queue.delete(next)
      next()
    }
  }
}
