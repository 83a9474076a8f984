const HOUR_SECONDS = 3_600

/**
 * How long a view or booking counts, on average. A counter that fades so holds, at a steady pace,
 * as many as there were in that time; no list of the single ones is kept.
 */
export const MEAN_LIFE_SECONDS = {
  viewed_1h: HOUR_SECONDS,
  viewed_7d: 7 * 24 * HOUR_SECONDS,
  booked_24h: 24 * HOUR_SECONDS,
} as const

export type PopularityCounter = keyof typeof MEAN_LIFE_SECONDS

export function fadeCount(counter: PopularityCounter, count: number, seconds: number): number {
  return Math.round(count * Math.exp(-Math.max(0, seconds) / MEAN_LIFE_SECONDS[counter]))
}
