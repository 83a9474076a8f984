import { sql } from '@melmastoon/chassis/db'
import type { CurrencyCode } from '@melmastoon/domain'
import type { ListingDocument } from '../listing-document.ts'

export interface KnownListing {
  document: ListingDocument
  is_published: boolean
  cheapest_micro: number | null
  cheapest_currency: CurrencyCode | null
}

export function findListing(propertyUuid: string) {
  return sql<KnownListing>`
    select document, is_published, cheapest_micro, cheapest_currency
    from sandbox.search_listing where property_id = ${propertyUuid}::uuid`
}
