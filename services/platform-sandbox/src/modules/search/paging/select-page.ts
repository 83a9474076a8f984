import type { PropertyId } from '@melmastoon/domain'
import type { Matches } from '../find-matches.ts'
import type { ListingIndex } from '../index/listing-index.ts'
import type { Scored } from '../ranking/score.ts'
import type { Position } from './cursor.ts'
import { selectFirst } from './select-first.ts'

export interface PageOptions {
  readonly limit: number
  readonly after: Position | null
  readonly keyOf: (scored: Scored) => number
}

export interface Page {
  readonly items: readonly Scored[]
  /** The position of the last item, if more follow. */
  readonly end: Position | null
}

let keys = new Float64Array(8_192)
let formerVersions = new Int32Array(8_192)

/**
 * Keyset paging: the items after a position, each in its order at the time of the first page. A
 * listing that matches throughout appears exactly once, whatever else changes except the exchange
 * rates and the date, which change many prices at once.
 */
export function selectPage(index: ListingIndex, matches: Matches, options: PageOptions): Page {
  const { limit, after } = options
  const count = after === null ? keyAll(index, matches, options) : keyRest(index, matches, options)
  const { rows } = matches
  const isBefore = (a: number, b: number) => {
    const difference = (keys[a] ?? 0) - (keys[b] ?? 0)
    return difference < 0 || (difference === 0 && idAt(index, rows, a) < idAt(index, rows, b))
  }
  const first = selectFirst(count, limit + 1, isBefore)
  const shown = first.slice(0, limit)
  const last = shown.at(-1)
  const items = shown.map((at) => ({ row: formerVersions[at] ?? 0, live: rows[at] ?? 0 }))
  if (first.length <= limit || last === undefined) return { items, end: null }
  const seq = after?.seq ?? index.seq
  return { items, end: { key: keys[last] ?? 0, propertyId: idAt(index, rows, last), seq } }
}

function keyAll(index: ListingIndex, { rows, count }: Matches, { keyOf }: PageOptions): number {
  makeRoom(index)
  for (let at = 0; at < count; at += 1) {
    const row = rows[at] ?? 0
    formerVersions[at] = row
    keys[at] = keyOf({ row, live: row })
  }
  return count
}

/** Moves the rows after the position to the front of `rows`. */
function keyRest(index: ListingIndex, matches: Matches, { keyOf, after }: PageOptions): number {
  makeRoom(index)
  const { rows, count } = matches
  let remaining = 0
  for (let at = 0; at < count; at += 1) {
    const live = rows[at] ?? 0
    const row = after === null ? live : index.versions.asOf(index.columns, live, after.seq)
    const key = keyOf({ row, live })
    if (after !== null && !isBehind(index, { key, live }, after)) continue
    rows[remaining] = live
    formerVersions[remaining] = row
    keys[remaining] = key
    remaining += 1
  }
  return remaining
}

function isBehind(
  index: ListingIndex,
  { key, live }: { key: number; live: number },
  after: Position,
): boolean {
  return key > after.key || (key === after.key && index.idOf(live) > after.propertyId)
}

function idAt(index: ListingIndex, rows: Int32Array, at: number): PropertyId {
  return index.idOf(rows[at] ?? 0)
}

function makeRoom({ columns }: ListingIndex): void {
  if (keys.length >= columns.capacity) return
  keys = new Float64Array(columns.capacity)
  formerVersions = new Int32Array(columns.capacity)
}
