import { type PropertyId, problem } from '@melmastoon/domain'
import type { Listing } from '@melmastoon/upstream-contracts/search'
import { chordSquaredToKm } from './area/sphere.ts'
import type { PopularityRow } from './index/feed-rows.ts'
import type { ListingIndex } from './index/listing-index.ts'
import { selectFirst } from './paging/select-first.ts'
import { countBookedLast24h, fadeCount } from './popularity.ts'
import { chordAt } from './ranking/score.ts'

const SIMILAR_MAX = 4
/** The dissimilarity of two hotels, expressed in kilometres. */
const UNLIKE_KM = { type: 20, star: 5, priceDoubling: 10, sharia: 10 }

export function readHotel(index: ListingIndex, propertyId: PropertyId, now: Date) {
  const row = requireRow(index, propertyId)
  return {
    listing: index.listingOf(row),
    popularity: popularityOf(index.popularity[row], now),
    similar: findSimilar(index, row),
  }
}

export function readListings(index: ListingIndex, propertyIds: readonly PropertyId[]): Listing[] {
  return propertyIds
    .map((propertyId) => index.rowOf(propertyId))
    .filter((row) => row !== undefined)
    .map((row) => index.listingOf(row))
}

/** Unknown, unpublished or of a suspended tenant: the same error (D18). */
export function requireRow(index: ListingIndex, propertyId: PropertyId): number {
  const row = index.rowOf(propertyId)
  if (row === undefined) throw problem('MELMASTOON.PROPERTY.NOT_FOUND')
  return row
}

function popularityOf(row: PopularityRow | undefined, now: Date) {
  if (row === undefined) return { bookedLast24h: 0, viewedLast1h: 0 }
  const seconds = (now.getTime() - row.fadedAt.getTime()) / 1_000
  return {
    bookedLast24h: countBookedLast24h(row.bookedAt, now),
    viewedLast1h: row.baseViewedLast1h + fadeCount('viewed_1h', row.viewed1h, seconds),
  }
}

function findSimilar(index: ListingIndex, row: number): Listing[] {
  const others: number[] = []
  for (let other = index.firstRow; other < index.endRow; other += 1) {
    if (other !== row && index.columns.isVisible[other] === 1) others.push(other)
  }
  const strangeness = Float64Array.from(others, (other) => compare(index, row, other))
  const rowAt = (at: number) => others[at] ?? 0
  const isBefore = (a: number, b: number) => {
    const difference = (strangeness[a] ?? 0) - (strangeness[b] ?? 0)
    return difference < 0 || (difference === 0 && index.idOf(rowAt(a)) < index.idOf(rowAt(b)))
  }
  const first = selectFirst(others.length, SIMILAR_MAX, isBefore)
  return first.map((at) => index.listingOf(rowAt(at)))
}

function compare(index: ListingIndex, a: number, b: number): number {
  const { columns } = index
  const { x, y, z, propertyType, stars, priceUsdMicro } = columns
  const centre = { x: x[a] ?? 0, y: y[a] ?? 0, z: z[a] ?? 0 }
  const priceRatio = (priceUsdMicro[a] || 1) / (priceUsdMicro[b] || 1)
  return (
    chordSquaredToKm(chordAt(index, centre, b)) +
    (propertyType[a] === propertyType[b] ? 0 : UNLIKE_KM.type) +
    Math.abs((stars[a] ?? 0) - (stars[b] ?? 0)) * UNLIKE_KM.star +
    Math.abs(Math.log2(priceRatio)) * UNLIKE_KM.priceDoubling +
    (isSharia(index, a) === isSharia(index, b) ? 0 : UNLIKE_KM.sharia)
  )
}

function isSharia(index: ListingIndex, row: number): boolean {
  return index.documentOf(row).shariaCompliant
}
