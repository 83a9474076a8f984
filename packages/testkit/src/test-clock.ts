import type { Clock } from '@melmastoon/chassis/clock'

export interface TestClock extends Clock {
  advance(durationMs: number): void
  /**
   * Moves the calendar alone, as an adjusted system clock would; measured durations do not jump.
   */
  setNow(moment: Date): void
}

/** A clock that stands still until it is set or advanced. */
export function createTestClock(start: Date = new Date('2026-03-21T09:00:00.000Z')): TestClock {
  let wallMs = start.getTime()
  let elapsedMs = 0
  return {
    now: () => new Date(wallMs),
    nowMs: () => wallMs,
    monotonicMs: () => elapsedMs,
    advance(durationMs) {
      wallMs += durationMs
      elapsedMs += durationMs
    },
    setNow(moment) {
      wallMs = moment.getTime()
    },
  }
}
