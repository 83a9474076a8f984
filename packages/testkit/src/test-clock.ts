import type { Clock } from '@melmastoon/chassis/clock'

export interface TestClock extends Clock {
  advance(durationMs: number): void
  /**
   * Changes the calendar only, like an adjusted system clock; measured durations are unaffected.
   */
  setNow(moment: Date): void
}

/** A clock that only changes when it is set or advanced. */
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
