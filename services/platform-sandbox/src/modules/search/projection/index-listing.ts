import { isDeepStrictEqual } from 'node:util'
import type { Tx } from '@melmastoon/chassis/db'
import { idToUuid } from '@melmastoon/domain'
import type { EventMessage } from '@melmastoon/events'
import { lockProperty } from '../change-sql.ts'
import { findListing, type KnownListing, type ListingWrite, upsertListing } from '../listing-sql.ts'
import type { PropertyRef } from '../search-sources.ts'
import type { Projector } from './projector.ts'
import { publishListings } from './publish-listings.ts'

export interface ListingChange {
  readonly property: PropertyRef
  readonly event: EventMessage
  readonly reason: string
}

/** Reads the hotel again; only a difference is written and published. */
export async function indexListing(
  projector: Projector,
  tx: Tx,
  { property, event, reason }: ListingChange,
): Promise<void> {
  const propertyUuid = idToUuid(property.propertyId)
  await tx.query(lockProperty(propertyUuid))
  const [known] = await tx.query(findListing(propertyUuid))
  const write = await readListing(projector, property, known)
  if (write === null || (known !== undefined && isSame(known, write))) return
  const [row] = await tx.query(upsertListing(write))
  if (row === undefined) throw new TypeError('an upsert without a row')
  const indexed = { ...property, version: row.version, indexedAt: row.indexed_at }
  await publishListings(tx, [indexed], { projector, event, reason })
}

/** The row of an unpublished hotel stays, hidden; an unknown hotel gets none. */
async function readListing(
  { sources }: Projector,
  property: PropertyRef,
  known: KnownListing | undefined,
): Promise<ListingWrite | null> {
  const fresh = await sources.readListing(property)
  const document = fresh ?? known?.document
  if (document === undefined) return null
  return {
    propertyUuid: idToUuid(property.propertyId),
    tenantUuid: idToUuid(property.tenantId),
    document,
    isPublished: fresh !== null,
    rates: await sources.readRates(property),
  }
}

function isSame(known: KnownListing, { document, isPublished, rates }: ListingWrite): boolean {
  return (
    known.is_published === isPublished &&
    known.rates_revision === rates.revision &&
    known.cheapest_micro === (rates.cheapest?.amountMicro ?? null) &&
    known.cheapest_currency === (rates.cheapest?.currency ?? null) &&
    isDeepStrictEqual(known.document, document)
  )
}
