import type { Clock } from '@melmastoon/chassis/clock'

/** The system clock with an offset that a test can increase: time passes as usual besides. */
export interface MovedClock extends Clock {
  advance(durationMs: number): void
}

export function createMovedClock(): MovedClock {
  let offsetMs = 0
  return {
    now: () => new Date(Date.now() + offsetMs),
    nowMs: () => Date.now() + offsetMs,
    monotonicMs: () => performance.now() + offsetMs,
    advance: (durationMs) => {
      offsetMs += durationMs
    },
  }
}
