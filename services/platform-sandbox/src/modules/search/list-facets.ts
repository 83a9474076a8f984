import { countFacets, type FacetCounts } from './count-facets.ts'
import type { ListingIndex } from './index/listing-index.ts'

interface AllFacets {
  readonly facets: FacetCounts
  readonly total: number
}

const counted = new WeakMap<ListingIndex, AllFacets & { revision: number }>()

/** Over every listing; counted again when one changed. */
export function listFacets(index: ListingIndex): AllFacets {
  const known = counted.get(index)
  if (known?.revision === index.listedRevision) return known
  const { columns, firstRow, endRow } = index
  const rows = new Int32Array(endRow - firstRow)
  let count = 0
  for (let row = firstRow; row < endRow; row += 1) {
    if (columns.isVisible[row] !== 1) continue
    rows[count] = row
    count += 1
  }
  const all = { facets: countFacets(index, { rows, count }), total: count }
  counted.set(index, { ...all, revision: index.listedRevision })
  return all
}
