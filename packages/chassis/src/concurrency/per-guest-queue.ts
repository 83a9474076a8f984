import type { BackgroundWork } from './background-work.ts'

/**
 * Background work in order per guest, although some of it waits for I/O. The order is guaranteed
 * within one process and for events outside transactions: events of a transaction are published
 * after its commit. Across processes `occurredAt` defines the order.
 */
export class PerGuestQueue {
  readonly #background: BackgroundWork
  readonly #tails = new Map<string, Promise<void>>()
  #runs = 0

  constructor(background: BackgroundWork) {
    this.#background = background
  }

  /** Whether nothing is queued for this guest. */
  isIdle(guest: string): boolean {
    return !this.#tails.has(guest)
  }

  /** Runs synchronously when nothing is queued for this guest, at the cost of one map lookup. */
  runNowOrQueue(guest: string, step: () => void): void {
    if (this.#tails.has(guest)) this.run(guest, async () => step())
    else step()
  }

  /** Runs after the queue of this guest; dropped and counted at the bound of background work. */
  run(guest: string, work: () => Promise<unknown>): void {
    const before = this.#tails.get(guest)
    this.#runs += 1
    this.#background.run(`queue ${this.#runs}`, () => {
      const tail = this.#follow(before, work).finally(() => this.#remove(guest, tail))
      this.#tails.set(guest, tail)
      return tail
    })
  }

  /** Every task reports its own failure, so an earlier failure never fails later work. */
  async #follow(before: Promise<void> | undefined, work: () => Promise<unknown>): Promise<void> {
    await before?.catch(() => undefined)
    await work()
  }

  #remove(guest: string, tail: Promise<void>): void {
    if (this.#tails.get(guest) === tail) this.#tails.delete(guest)
  }
}
