import { type Locale, textFor } from '@melmastoon/domain'
import type { PropertyDetail } from '@melmastoon/upstream-contracts/property'
import type { ComparedAmenity } from './comparison.ts'

export type Furnished = Pick<PropertyDetail, 'amenities'>

/** Lines for all that any hotel has, what most of them have first. */
export function compareAmenities(
  hotels: readonly (Furnished | undefined)[],
  locale: Locale,
): ComparedAmenity[] {
  const names = new Map<string, string>()
  for (const { code, name } of hotels.flatMap((hotel) => hotel?.amenities ?? [])) {
    if (!names.has(code)) names.set(code, textFor(name, locale))
  }
  return [...names]
    .map(([code, name]) => ({ code, name, has: hotels.map((hotel) => hasAmenity(hotel, code)) }))
    .sort((a, b) => count(b) - count(a) || (a.code < b.code ? -1 : 1))
}

function hasAmenity(hotel: Furnished | undefined, code: string): boolean | null {
  return hotel === undefined ? null : hotel.amenities.some((amenity) => amenity.code === code)
}

function count({ has }: ComparedAmenity): number {
  return has.filter((value) => value === true).length
}
