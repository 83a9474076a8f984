import { sql } from '@melmastoon/chassis/db'
import type { CheapestNight, ListingDocument } from '../listing-document.ts'

export interface ListingWrite {
  readonly propertyUuid: string
  readonly tenantUuid: string
  readonly document: ListingDocument
  readonly isPublished: boolean
  readonly cheapest: CheapestNight | null
}

export function upsertListing(write: ListingWrite) {
  const { propertyUuid, tenantUuid, document, isPublished, cheapest } = write
  return sql<{ version: number; indexed_at: Date }>`
    insert into sandbox.search_listing as known
      (property_id, tenant_id, document, is_published, cheapest_micro, cheapest_currency)
    values (${propertyUuid}::uuid, ${tenantUuid}::uuid, ${document}::jsonb, ${isPublished}::boolean,
      ${cheapest?.amountMicro ?? null}::bigint, ${cheapest?.currency ?? null}::text)
    on conflict (property_id) do update
      set document = excluded.document, is_published = excluded.is_published,
        cheapest_micro = excluded.cheapest_micro, cheapest_currency = excluded.cheapest_currency,
        version = known.version + 1, indexed_at = now()
    returning version, indexed_at`
}
