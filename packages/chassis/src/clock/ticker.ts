/** Fine enough for everything that recurs a few times a second. */
const TICK_MS = 250

interface Recurring {
  readonly everyTicks: number
  readonly work: () => void
}

/** Returns how to end it. */
export type Ticker = (periodMs: number, work: () => void) => Disposable

export function createTicker(): Ticker {
  const ticks = new SharedTicks()
  return (periodMs, work) => {
    const everyTicks = periodMs / TICK_MS
    const isMultiple = everyTicks > 0 && Number.isInteger(everyTicks)
    return isMultiple ? ticks.add({ everyTicks, work }) : everyInterval(periodMs, work)
  }
}

function everyInterval(periodMs: number, work: () => void): Disposable {
  const timer = setInterval(work, periodMs)
  timer.unref()
  return { [Symbol.dispose]: () => clearInterval(timer) }
}

class SharedTicks {
  readonly #recurring = new Set<Recurring>()
  #timer: NodeJS.Timeout | undefined
  #count = 0

  add(recurring: Recurring): Disposable {
    this.#recurring.add(recurring)
    this.#timer ??= setInterval(() => this.#tick(), TICK_MS).unref()
    return { [Symbol.dispose]: () => this.#remove(recurring) }
  }

  #remove(recurring: Recurring): void {
    this.#recurring.delete(recurring)
    if (this.#recurring.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #tick(): void {
    this.#count += 1
    for (const { everyTicks, work } of this.#recurring) if (this.#count % everyTicks === 0) work()
  }
}

/**
 * Runs work at regular intervals, which do not keep the process alive. All such work of a process
 * runs in the same turns of the event loop: an idle process wakes up once for it, and its commands
 * to one server are sent together. The first run is at most one interval away. Intervals that are
 * no multiples of 250 ms have a timer of their own.
 */
export const everyTick: Ticker = createTicker()
