/**
 * The only place that reads time. Durations are measured with `monotonicMs`, which never jumps;
 * moments that leave the process come from `now`. Whatever the database decides (leases, expiry,
 * back-off) is compared with the database's own clock instead.
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
