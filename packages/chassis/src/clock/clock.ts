/**
 * The only place that reads time. Durations are measured with `monotonicMs`, which never jumps;
 * timestamps that leave the process come from `now`. Decisions of the database (leases, expiry,
 * back-off) use the database's clock instead.
 */
export interface Clock {
  now(): Date
  nowMs(): number
  monotonicMs(): number
}

export const systemClock: Clock = {
  now: () => new Date(),
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
}
