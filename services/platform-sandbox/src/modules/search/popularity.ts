const HOUR_SECONDS = 3_600

/**
 * The mean lifetime of a view. At a steady rate an exponentially decaying counter equals
 * the number within that time, without storing single events.
 */
export const MEAN_LIFE_SECONDS = {
  viewed_1h: HOUR_SECONDS,
  viewed_7d: 7 * 24 * HOUR_SECONDS,
} as const

export type PopularityCounter = keyof typeof MEAN_LIFE_SECONDS

export function fadeCount(counter: PopularityCounter, count: number, seconds: number): number {
  return Math.round(count * Math.exp(-Math.max(0, seconds) / MEAN_LIFE_SECONDS[counter]))
}

const DAY_MS = 24 * HOUR_SECONDS * 1_000

export function countBookedLast24h(bookedAt: readonly Date[], now: Date): number {
  const since = now.getTime() - DAY_MS
  return bookedAt.filter((at) => at.getTime() > since).length
}
