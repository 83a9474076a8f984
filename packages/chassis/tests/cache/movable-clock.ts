import { type Clock, systemClock } from '../../src/clock/index.ts'

export interface MovableClock extends Clock {
  move(byMs: number): void
}

/** The test controls expiry; waiting and measuring use real time. */
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
