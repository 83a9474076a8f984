/**
 * How many of ten thousand points each signal is worth. A listing's score is the sum of what it
 * earns, and `reasons` lists the very same numbers.
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

/** A share from 0 to 1 of what the signal is worth, in whole points so that sums are exact. */
export function pointsFor(kind: ReasonKind, share: number): number {
  return Math.round(WEIGHTS[kind] * Math.min(1, Math.max(0, share)))
}
