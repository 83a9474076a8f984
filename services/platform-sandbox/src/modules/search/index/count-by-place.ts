import type { ListingIndex } from './listing-index.ts'

type Counts = ReadonlyMap<string, number>

const counted = new WeakMap<ListingIndex, { revision: number; counts: Counts }>()

/** The number of listings per place, by `kind:key`; recounted after a change. */
export function countByPlace(index: ListingIndex): Counts {
  const known = counted.get(index)
  if (known?.revision === index.listedRevision) return known.counts
  const counts = new Map<string, number>()
  const add = (place: string) => counts.set(place, (counts.get(place) ?? 0) + 1)
  for (let row = index.firstRow; row < index.endRow; row += 1) {
    if (index.columns.isVisible[row] !== 1) continue
    const { city, region, neighbourhood } = index.documentOf(row)
    add(`city:${city}`)
    add(`region:${region}`)
    if (neighbourhood !== null) add(`neighbourhood:${city}/${neighbourhood}`)
  }
  counted.set(index, { revision: index.listedRevision, counts })
  return counts
}
