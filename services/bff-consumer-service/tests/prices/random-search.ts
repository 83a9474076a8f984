import { CURRENCY_CODES } from '@melmastoon/domain'
import { dayFromNow } from '../harness/start-consumer.ts'

/** A sequence of numbers from 0 to 1 that depends on the seed alone (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

export interface Choices {
  /** At least 0, below `end`. */
  below(end: number): number
  one<T>(values: readonly T[]): T
  some<T>(values: readonly T[], count: number): T[]
}

export function choicesOf(random: () => number): Choices {
  const below = (end: number) => Math.floor(random() * end)
  const one = <T>(values: readonly T[]): T => {
    const value = values[below(values.length)]
    if (value === undefined) throw new TypeError('nothing to choose from')
    return value
  }
  return {
    below,
    one,
    some: (values, count) =>
      values
        .map((value) => ({ value, at: random() }))
        .sort((a, b) => a.at - b.at)
        .slice(0, count)
        .map(({ value }) => value),
  }
}

export interface RandomSearch {
  readonly geo: { readonly mode: 'city'; readonly city: string }
  readonly dates: { readonly checkIn: string; readonly checkOut: string }
  readonly occupancy: {
    readonly adults: number
    readonly children: number
    readonly rooms: number
    readonly childrenAges?: readonly number[]
  }
  readonly currency: string
  readonly filters: Record<string, unknown>
  readonly sortKey: string
  readonly pageSize: number
}

const SORT_KEYS = ['recommended', 'price-asc', 'price-desc', 'rating-desc']
const FILTERS = [
  {},
  {},
  { cancellationFlexibility: 'free' },
  { cancellationFlexibility: 'partial' },
  { starRating: [3, 4, 5] },
  { guestRatingMin: 7 },
  { amenities: ['wifi'] },
  { availableOnly: true },
]

/** A stay of one to seven nights in the next four months, for up to five adults in two rooms. */
export function randomSearch(choose: Choices, cities: readonly string[]): RandomSearch {
  const checkIn = 2 + choose.below(120)
  const children = choose.one([0, 0, 0, 1, 2])
  const childrenAges = Array.from({ length: children }, () => choose.below(18))
  return {
    geo: { mode: 'city', city: choose.one(cities) },
    dates: {
      checkIn: dayFromNow(checkIn),
      checkOut: dayFromNow(checkIn + 1 + choose.below(7)),
    },
    occupancy: {
      adults: 1 + choose.below(5),
      children,
      rooms: choose.one([1, 1, 1, 2]),
      ...(children > 0 && { childrenAges: childrenAges.sort((a, b) => a - b) }),
    },
    currency: choose.one(CURRENCY_CODES),
    filters: choose.one(FILTERS),
    sortKey: choose.one(SORT_KEYS),
    pageSize: 50,
  }
}

/** Bounds that exclude about half of the prices found, by night or by stay. */
export function randomRange(choose: Choices, search: RandomSearch, amounts: Amounts[]) {
  const per = choose.one(['night', 'stay'] as const)
  const member = per === 'night' ? 'cheapestNightlyMinor' : 'totalForStayMinor'
  const sorted = amounts.map((amount) => amount[member]).sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? 0
  return { per, min: at(0.25), max: at(0.75), currency: search.currency }
}

export interface Amounts {
  readonly cheapestNightlyMinor: number
  readonly totalForStayMinor: number
}
