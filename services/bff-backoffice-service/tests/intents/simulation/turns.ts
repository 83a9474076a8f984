/** Chooses one of `count` possibilities. */
export type Choose = (count: number) => number

/** Every call to a database or an upstream waits here until it is its turn. */
export class Turns {
  readonly #waiting: (() => void)[] = []

  take(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  /** Runs the work to its end, one call at a time, in the chosen order. */
  async run(work: readonly Promise<unknown>[], choose: Choose): Promise<void> {
    let open = work.length
    for (const each of work) {
      void each.finally(() => {
        open -= 1
      })
    }
    for (;;) {
      await new Promise(setImmediate)
      if (open === 0) return
      const [next] = this.#waiting.splice(choose(this.#waiting.length), 1)
      if (next === undefined) throw new Error('nothing can continue')
      next()
    }
  }
}

/** The same numbers for the same seed. */
export function randomChoices(seed: number): Choose {
  let state = seed >>> 0
  return (count) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * count)
  }
}

/** All sequences of choices, depth first: the next one after `path`, or null after the last. */
export function nextPath(path: readonly Taken[]): number[] | null {
  const last = path.findLastIndex(({ chosen, count }) => chosen + 1 < count)
  if (last === -1) return null
  return path.slice(0, last + 1).map(({ chosen }, at) => (at === last ? chosen + 1 : chosen))
}

export interface Taken {
  readonly chosen: number
  readonly count: number
}

/** Follows a path, then takes the first possibility; records what there was to choose from. */
export function followPath(path: readonly number[], taken: Taken[]): Choose {
  return (count) => {
    const chosen = path[taken.length] ?? 0
    taken.push({ chosen, count })
    return chosen
  }
}
