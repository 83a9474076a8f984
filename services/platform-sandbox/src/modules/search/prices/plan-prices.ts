import { problem } from '@melmastoon/domain'
import { minorUnitOf, type OfferedStay, partyOf } from '../../pricing/module.ts'
import type { Filters, RowTest } from '../filters/plan-filters.ts'
import type { ListingIndex } from '../index/listing-index.ts'
import type { SortKey } from '../paging/sort-key.ts'
import type { Criteria } from '../plan-search.ts'
import type { NightRange } from '../stay.ts'
import { ShownPrices } from './shown-prices.ts'
import { stayPrices } from './stay-prices.ts'

const SAFE_MAX = BigInt(Number.MAX_SAFE_INTEGER)

export interface PricePlan {
  readonly shown: ShownPrices
  /** Expensive, and therefore applied to what all other tests have left. */
  readonly bookableTest: RowTest | null
  readonly rangeTest: RowTest | null
}

export interface PlannedStay {
  readonly nights: NightRange
  readonly now: Date
}

/** The shown offer is the cheapest that can be booked with the requested cancellation terms. */
export function planPrices(
  index: ListingIndex,
  { occupancy, filters, currency }: Criteria,
  { nights, now }: PlannedStay,
): PricePlan {
  const nowMs = now.getTime()
  const flexibility = filters.cancellationFlexibility ?? 'any'
  const stay: OfferedStay = {
    arrival: nights.firstDay,
    nights: nights.endDay - nights.firstDay,
    party: partyOf(occupancy),
    quantity: occupancy.rooms,
    flexibility,
  }
  const prices = () => stayPrices(index, stay, nowMs)
  const shownIn = (code: Criteria['currency']) =>
    new ShownPrices(index, prices, { currency: code, nowMs })
  const shown = shownIn(currency)
  const { priceRange: range, availableOnly = false } = filters
  const isRequired = availableOnly || flexibility !== 'any'
  return {
    shown,
    bookableTest: isRequired ? (row) => shown.isBookable(row) : null,
    rangeTest: range === undefined ? null : rangeTest(shownIn(range.currency), range),
  }
}

/** Whether the result depends on exchange rates; facets include the distribution of prices. */
export function comparesPrices(request: {
  readonly filters: Filters
  readonly sortKey: SortKey
  readonly withFacets?: boolean
}): boolean {
  const { filters, sortKey, withFacets = false } = request
  return filters.priceRange !== undefined || sortKey.startsWith('price-') || withFacets
}

type PriceRange = NonNullable<Filters['priceRange']>

/** A price shown in another currency, because no exchange rates are valid, is in no range. */
function rangeTest(shown: ShownPrices, { per = 'night', ...range }: PriceRange): RowTest {
  const minMicro = BigInt(range.minMicro)
  const maxMicro = BigInt(range.maxMicro)
  if (minMicro > maxMicro) throw rangeReversed()
  const step = minorUnitOf(range.currency)
  const low = toSafe((minMicro + step - 1n) / step)
  const high = toSafe(maxMicro / step)
  return (row) => {
    const price = shown.priceOf(row)
    if (price?.currency !== range.currency) return false
    const minor = per === 'night' ? price.cheapestNightMinor : price.totalMinor
    return minor >= low && minor <= high
  }
}

function toSafe(value: bigint): number {
  return Number(value > SAFE_MAX ? SAFE_MAX : value)
}

function rangeReversed() {
  return problem('MELMASTOON.SEARCH.PRICE_RANGE_INVALID', {
    errors: [
      {
        pointer: '/filters/priceRange/minMicro',
        code: 'above_maximum',
        detail: 'minMicro must not exceed maxMicro.',
      },
    ],
  })
}
