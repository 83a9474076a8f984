import { pointsFor } from './weights.ts'

/** With this many views per week the signal reaches half of the remaining range. */
const VIEWS_HALFWAY = 70
/** A few high ratings do not outweigh many: this number of average ratings is added. */
const PRIOR_COUNT = 20
const PRIOR_RATING = 7
const RATING_MAX = 10
/** At this price the signal is one half. */
const PRICE_HALFWAY_USD_MICRO = 60_000_000
const ROOMS_PLENTY = 20
const NEW_FOR_DAYS = 180

/** The base score, plus current views for the rest of the range. */
export function popularityPoints(baseScore: number, viewed7d: number): number {
  const known = Math.min(1, Math.max(0, baseScore))
  return pointsFor('popularity', known + (1 - known) * (viewed7d / (viewed7d + VIEWS_HALFWAY)))
}

export function ratingPoints(rating: { value: number; count: number } | null): number {
  if (rating === null) return 0
  const { value, count } = rating
  const mixed = (value * count + PRIOR_RATING * PRIOR_COUNT) / (count + PRIOR_COUNT)
  return pointsFor('rating', mixed / RATING_MAX)
}

export function pricePoints(usdMicro: number): number {
  if (usdMicro <= 0) return 0
  return pointsFor('price', PRICE_HALFWAY_USD_MICRO / (PRICE_HALFWAY_USD_MICRO + usdMicro))
}

export function distancePoints(chord: number, radiusChord: number): number {
  return pointsFor('distance', 1 - Math.sqrt(chord / radiusChord))
}

export function textPoints(wordsNamed: number, words: number): number {
  return pointsFor('text', wordsNamed / words)
}

export function availabilityPoints(roomsLeft: number): number {
  return pointsFor('availability', roomsLeft / ROOMS_PLENTY)
}

/** Relative to the day of arrival, so that paging across midnight does not change the order. */
export function freshnessPoints(openedDay: number, checkInDay: number): number {
  return pointsFor('freshness', 1 - (checkInDay - openedDay) / NEW_FOR_DAYS)
}
