/**
 * The weight of each signal in points of ten thousand. The score of a listing is the sum of its
 * points, and `reasons` lists the same numbers.
 */
export const WEIGHTS = {
  popularity: 3_000,
  rating: 2_500,
  price: 1_500,
  distance: 1_500,
  text: 1_000,
  availability: 300,
  freshness: 200,
} as const

export type ReasonKind = keyof typeof WEIGHTS

/** A share from 0 to 1 of the weight of a signal, in whole points so that sums are exact. */
export function pointsFor(kind: ReasonKind, share: number): number {
  return Math.round(WEIGHTS[kind] * Math.min(1, Math.max(0, share)))
}
