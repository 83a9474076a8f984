import type { OutputOf } from '@melmastoon/upstream-contracts'
import type { searchContract } from '@melmastoon/upstream-contracts/search'
import type { ListingIndex } from './index/listing-index.ts'

type SearchResponse = OutputOf<(typeof searchContract)['operations']['query']>
type Hit = SearchResponse['items'][number]

const OPENING = Buffer.from('{"items":[')
const COMMA = Buffer.from(',')

/**
 * The response as JSON. Most of it are listings, which are serialized once per change, because
 * three scripts are expensive to encode.
 */
export function writeResponse(index: ListingIndex, { items, ...rest }: SearchResponse): Buffer {
  const parts: Buffer[] = [OPENING]
  for (const [at, hit] of items.entries()) {
    if (at > 0) parts.push(COMMA)
    parts.push(...writeHit(index, hit))
  }
  parts.push(Buffer.from(`],${JSON.stringify(rest).slice(1)}`))
  return Buffer.concat(parts)
}

function writeHit(index: ListingIndex, hit: Hit): Buffer[] {
  const { propertyId, distanceKm, roomsLeft, score, reasons } = hit
  const row = index.rowOf(propertyId)
  if (row === undefined) return [Buffer.from(JSON.stringify(hit))]
  const members = JSON.stringify({ distanceKm, roomsLeft, score, reasons })
  return [index.listingBytes(row), COMMA, Buffer.from(members.slice(1))]
}
