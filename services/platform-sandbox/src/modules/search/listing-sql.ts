import { sql } from '@melmastoon/chassis/db'
import type { CurrencyCode } from '@melmastoon/domain'
import { CHANGES_TOPIC, type ChangedRow, type ChangeWindow, withinWindow } from './change-sql.ts'
import type { CheapestNight, ListingDocument } from './listing-document.ts'
import type { ListedRates } from './search-sources.ts'

export interface KnownListing {
  document: ListingDocument
  is_published: boolean
  cheapest_micro: number | null
  cheapest_currency: CurrencyCode | null
  rates_revision: number
}

export function findListing(propertyUuid: string) {
  return sql<KnownListing>`
    select document, is_published, cheapest_micro, cheapest_currency, rates_revision
    from sandbox.search_listing where property_id = ${propertyUuid}::uuid`
}

export interface ChangedListing extends KnownListing, ChangedRow {
  version: number
}

export function selectListings(window: ChangeWindow) {
  return sql<ChangedListing>`
    select document, is_published, cheapest_micro, cheapest_currency, rates_revision, version,
      property_id as row_key, updated_seq
    from sandbox.search_listing ${withinWindow(window, 'property_id')}`
}

export interface ListingWrite {
  readonly propertyUuid: string
  readonly tenantUuid: string
  readonly document: ListingDocument
  readonly isPublished: boolean
  readonly rates: ListedRates
}

export function upsertListing(write: ListingWrite) {
  const { propertyUuid, tenantUuid, document, isPublished } = write
  const { cheapest, revision } = write.rates
  return sql<{ version: number; indexed_at: Date }>`
    insert into sandbox.search_listing as known
      (property_id, tenant_id, document, is_published, cheapest_micro, cheapest_currency,
       rates_revision)
    values (${propertyUuid}::uuid, ${tenantUuid}::uuid, ${document}::jsonb, ${isPublished}::boolean,
      ${cheapest?.amountMicro ?? null}::bigint, ${cheapest?.currency ?? null}::text,
      ${revision}::bigint)
    on conflict (property_id) do update
      set document = excluded.document, is_published = excluded.is_published,
        cheapest_micro = excluded.cheapest_micro, cheapest_currency = excluded.cheapest_currency,
        rates_revision = excluded.rates_revision, version = known.version + 1, indexed_at = now()
    returning version, indexed_at`.announcing(CHANGES_TOPIC)
}

export function selectPropertiesOf(tenantUuid: string) {
  return sql<{ property_id: string }>`
    select property_id from sandbox.search_listing
    where tenant_id = ${tenantUuid}::uuid order by property_id`
}

/** Increments the version of every listing of a tenant, for consumers with cached copies. */
export function touchListings(tenantUuid: string) {
  return sql<{ property_id: string; version: number; indexed_at: Date }>`
    update sandbox.search_listing set version = version + 1, indexed_at = now()
    where tenant_id = ${tenantUuid}::uuid
    returning property_id, version, indexed_at`.announcing(CHANGES_TOPIC)
}

export interface SeedListing {
  readonly propertyUuid: string
  readonly tenantUuid: string
  readonly document: ListingDocument
  readonly cheapest: CheapestNight
}

/** Existing listings stay unchanged, except those of versions without payment methods. */
export function seedListings(rows: readonly SeedListing[]) {
  return sql`
    insert into sandbox.search_listing as known
      (property_id, tenant_id, document, cheapest_micro, cheapest_currency)
    select * from unnest(
      ${rows.map(({ propertyUuid }) => propertyUuid)}::uuid[],
      ${rows.map(({ tenantUuid }) => tenantUuid)}::uuid[],
      ${rows.map(({ document }) => JSON.stringify(document))}::jsonb[],
      ${rows.map(({ cheapest }) => cheapest.amountMicro)}::bigint[],
      ${rows.map(({ cheapest }) => cheapest.currency)}::text[])
    on conflict (property_id) do update
      set document = excluded.document, version = known.version + 1, indexed_at = now()
      where not known.document ? 'paymentMethods'`
}
