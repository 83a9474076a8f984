import { sql } from '@melmastoon/chassis/db'
import type { CheapestNight, ListingDocument } from '../listing-document.ts'

export interface SeedListing {
  readonly propertyUuid: string
  readonly tenantUuid: string
  readonly document: ListingDocument
  readonly cheapest: CheapestNight
}

/** Listings that are there stay as events have made them. */
export function seedListings(rows: readonly SeedListing[]) {
  return sql`
    insert into sandbox.search_listing
      (property_id, tenant_id, document, cheapest_micro, cheapest_currency)
    select * from unnest(
      ${rows.map(({ propertyUuid }) => propertyUuid)}::uuid[],
      ${rows.map(({ tenantUuid }) => tenantUuid)}::uuid[],
      ${rows.map(({ document }) => JSON.stringify(document))}::jsonb[],
      ${rows.map(({ cheapest }) => cheapest.amountMicro)}::bigint[],
      ${rows.map(({ cheapest }) => cheapest.currency)}::text[])
    on conflict (property_id) do nothing`
}
