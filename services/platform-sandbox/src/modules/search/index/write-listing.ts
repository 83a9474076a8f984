import { toUnitVector } from '../area/sphere.ts'
import { ratingPoints } from '../ranking/signals.ts'
import { AMENITIES_MAX, AMENITY_WORDS } from './columns.ts'
import { toEpochDay } from './epoch-day.ts'
import type { ListingRow } from './feed-rows.ts'
import { currencyNumber } from './fx-table.ts'
import type { ListingIndex } from './listing-index.ts'

export function writeListing(index: ListingIndex, row: number, change: ListingRow): void {
  const { document, cheapest } = change
  const { columns } = index
  const { lat, lng } = document.geo
  const { x, y, z } = toUnitVector(document.geo)
  columns.lat[row] = lat
  columns.lng[row] = lng
  columns.x[row] = x
  columns.y[row] = y
  columns.z[row] = z
  columns.priceMicro[row] = cheapest?.amountMicro ?? 0
  columns.currency[row] = cheapest ? currencyNumber(cheapest.currency) : 0
  columns.rating[row] = document.guestRating?.value ?? 0
  columns.ratingCount[row] = document.guestRating?.count ?? 0
  columns.ratingPoints[row] = ratingPoints(document.guestRating)
  columns.stars[row] = document.starRating ?? 0
  columns.propertyType[row] = index.propertyTypes.add(document.propertyType)
  columns.city[row] = index.cities.add(document.city)
  columns.region[row] = index.regions.add(document.region)
  columns.neighbourhood[row] = index.neighbourhoods.add(document.neighbourhood ?? '')
  columns.timeZone[row] = index.timeZones.add(document.timeZone)
  columns.openedDay[row] = toEpochDay(document.openedOn)
  writeAmenities(index, row, document.amenities)
}

function writeAmenities(index: ListingIndex, row: number, amenities: readonly string[]): void {
  const { amenities: bits } = index.columns
  const start = row * AMENITY_WORDS
  bits.fill(0, start, start + AMENITY_WORDS)
  for (const amenity of amenities) {
    const number = index.amenities.add(amenity)
    if (number >= AMENITIES_MAX) continue
    const word = start + (number >> 5)
    bits[word] = (bits[word] ?? 0) | (1 << (number & 31))
  }
}
