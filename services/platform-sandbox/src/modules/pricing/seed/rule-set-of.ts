import type { IsoDate } from '@melmastoon/domain'
import { findCity } from '../../../world/cities.ts'
import { findCountry } from '../../../world/countries.ts'
import { CHILD_PRICE_AGES, minGuestAgeOf } from '../../../world/guest-ages.ts'
import type { WorldProperty } from '../../../world/world.ts'
import type { FeeRule, RuleSet } from '../engine/rule-set.ts'
import { seasonsOf } from './season-table.ts'
import { localAmount, taxesOf } from './tax-table.ts'

const NOWRUZ_COUNTRIES: ReadonlySet<string> = new Set([
  'AF',
  'IR',
  'TJ',
  'UZ',
  'TM',
  'KZ',
  'KG',
  'AZ',
])
const BUSY_NIGHT = 11_000
const ORDINARY_NIGHT = 10_000
const FINE_STARS = 4

/** Hotels of the same place, class and currency share one row. */
export function ruleSetOf(property: WorldProperty, anchorDate: IsoDate): RuleSet {
  const { country, currency, starRating } = property
  const { isMostlyMuslim, busyNights } = findCountry(country)
  const minGuestAge = minGuestAgeOf(property)
  return {
    seasons: seasonsOf(anchorDate, {
      scenery: findCity(property.city).scenery,
      hasMuslimFeasts: isMostlyMuslim,
      hasNowruz: NOWRUZ_COUNTRIES.has(country),
    }),
    weekdays: [0, 1, 2, 3, 4, 5, 6].map((day) =>
      busyNights.includes(day) ? BUSY_NIGHT : ORDINARY_NIGHT,
    ),
    extras: {
      adultMicro: localAmount(isFine(property) ? 1_500 : 700, 'USD', currency),
      children: [
        {
          fromAge: CHILD_PRICE_AGES.reduced,
          micro: localAmount(isFine(property) ? 600 : 300, 'USD', currency),
        },
        {
          fromAge: CHILD_PRICE_AGES.full,
          micro: localAmount(isFine(property) ? 1_000 : 500, 'USD', currency),
        },
      ],
    },
    ...(minGuestAge !== null && { minGuestAge }),
    fees: feesOf(property),
    taxes: taxesOf(country, { currency, starRating }),
  }
}

function feesOf({ propertyType, currency, amenities, starRating }: WorldProperty): FeeRule[] {
  if (propertyType === 'apartment') {
    const micro = localAmount(1_200, 'USD', currency)
    return [{ code: 'CLEANING', per: 'room', micro, isTaxed: true }]
  }
  if ((starRating ?? 0) > FINE_STARS && amenities.includes('pool')) {
    const micro = localAmount(800, 'USD', currency)
    return [{ code: 'RESORT', per: 'room-night', micro, isTaxed: false }]
  }
  return []
}

function isFine({ starRating }: WorldProperty): boolean {
  return (starRating ?? 0) >= FINE_STARS
}
