/**
 * The source of every choice of a simulation: which task runs next, which fault occurs, how long a
 * message takes. Equal decisions lead to an equal history.
 */
export interface Decisions {
  /** An integer from 0 to `options - 1`. 0 is always the simplest choice, such as no fault. */
  choose(options: number): number
}

export interface RecordedDecisions extends Decisions {
  /** Everything chosen so far: the history that `replayedDecisions` repeats. */
  readonly taken: readonly number[]
}

export function seededDecisions(seed: number): RecordedDecisions {
  const random = randomOf(seed)
  return record((options) => Math.floor(random() * options))
}

/**
 * Repeats a history, also one that fast-check has shrunk: values are reduced to the number of
 * options, and after the end of the history the simplest choice is made.
 */
export function replayedDecisions(history: readonly number[]): RecordedDecisions {
  let position = 0
  return record((options) => {
    const value = history[position] ?? 0
    position += 1
    return value % options
  })
}

function record(draw: (options: number) => number): RecordedDecisions {
  const taken: number[] = []
  return {
    taken,
    choose(options) {
      const value = draw(Math.max(1, options))
      taken.push(value)
      return value
    },
  }
}

/** Mulberry32: 32 bits of state are enough for a history of some thousand choices. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
