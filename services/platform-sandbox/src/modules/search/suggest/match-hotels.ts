import type { ListingIndex } from '../index/listing-index.ts'
import { selectFirst } from '../paging/select-first.ts'
import { namesAround } from './describe-place.ts'
import type { Suggestion } from './suggestion.ts'

export interface HotelMatch {
  readonly suggestion: Suggestion
  readonly isExact: boolean
  /** 1 where the name starts with the text, 2 where a later word does; higher if only similar. */
  readonly rank: number
  readonly weight: number
}

interface Ranked {
  readonly row: number
  readonly rank: number
  readonly weight: number
  readonly key: string
}

/** After every similar place. */
const SIMILAR_RANK = 1_000

/** Most popular first. A word that starts no word of any name stands for similar ones. */
export function matchHotels(
  index: ListingIndex,
  words: readonly string[],
  limit: number,
): HotelMatch[] {
  const { named, leading, isSimilar } = index.tokens.match(words, index.columns.capacity)
  const { isVisible, popularityPoints } = index.columns
  const all = (1 << words.length) - 1
  const found: Ranked[] = []
  for (let row = index.firstRow; row < index.endRow; row += 1) {
    if (isVisible[row] !== 1 || named[row] !== all) continue
    const rank = ((leading[row] ?? 0) & 1 ? 1 : 2) + (isSimilar ? SIMILAR_RANK : 0)
    found.push({ row, rank, weight: popularityPoints[row] ?? 0, key: index.idOf(row) })
  }
  const first = selectFirst(found.length, limit, (a, b) => isBefore(found[a], found[b]))
  return first.flatMap((at) => {
    const ranked = found[at]
    if (ranked === undefined) return []
    return { ...ranked, isExact: !isSimilar, suggestion: describeHotel(index, ranked.row) }
  })
}

function isBefore(a: Ranked | undefined, b: Ranked | undefined): boolean {
  if (a === undefined || b === undefined) return a !== undefined
  if (a.rank !== b.rank) return a.rank < b.rank
  return a.weight === b.weight ? a.key < b.key : a.weight > b.weight
}

function describeHotel(index: ListingIndex, row: number): Suggestion {
  const { propertyId: key, name, country, geo, city, region } = index.documentOf(row)
  const around = namesAround(index, { city, region })
  return { kind: 'property', key, name, country, geo, properties: 1, ...around }
}
