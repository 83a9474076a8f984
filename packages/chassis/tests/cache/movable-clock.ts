import { type Clock, systemClock } from '../../src/clock/index.ts'

export interface MovableClock extends Clock {
  move(byMs: number): void
}

/** Expiry happens when the test says so; waiting and measuring stay real. */
export function movableClock(): MovableClock {
  let aheadMs = 0
  return {
    ...systemClock,
    nowMs: () => systemClock.nowMs() + aheadMs,
    move(byMs) {
      aheadMs += byMs
    },
  }
}
