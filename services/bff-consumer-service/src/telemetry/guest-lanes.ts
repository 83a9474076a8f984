import type { BackgroundWork } from '../background/background-work.ts'

/**
 * A guest's events leave in the order she caused them, although some have to be looked into first.
 * This holds for one process, and for events that belong to no transaction: those of one leave with
 * its commit. Over all of them `occurredAt` tells.
 */
export class GuestLanes {
  readonly #background: BackgroundWork
  readonly #tails = new Map<string, Promise<void>>()
  #runs = 0

  constructor(background: BackgroundWork) {
    this.#background = background
  }

  /** At once when nothing of this guest is under way: that costs one look into a map. */
  pass(guest: string, step: () => void): void {
    if (this.#tails.has(guest)) this.run(guest, async () => step())
    else step()
  }

  /** After what this guest did before; dropped and counted with the background's bound. */
  run(guest: string, work: () => Promise<unknown>): void {
    const before = this.#tails.get(guest)
    this.#runs += 1
    this.#background.run(`lane ${this.#runs}`, () => {
      const tail = this.#follow(before, work).finally(() => this.#leave(guest, tail))
      this.#tails.set(guest, tail)
      return tail
    })
  }

  /** Every work reports its own failure, so those before never fail the ones after. */
  async #follow(before: Promise<void> | undefined, work: () => Promise<unknown>): Promise<void> {
    await before?.catch(() => undefined)
    await work()
  }

  #leave(guest: string, tail: Promise<void>): void {
    if (this.#tails.get(guest) === tail) this.#tails.delete(guest)
  }
}
