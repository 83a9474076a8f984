import { sql } from '@melmastoon/chassis/db'
import type { CurrencyCode } from '@melmastoon/domain'
import type { ListingDocument } from '../listing-document.ts'
import { type ChangeWindow, withinWindow } from './change-window.ts'

export interface ChangedListing {
  document: ListingDocument
  is_published: boolean
  cheapest_micro: number | null
  cheapest_currency: CurrencyCode | null
  version: number
  updated_seq: number
}

export function selectListings(window: ChangeWindow) {
  return sql<ChangedListing>`
    select document, is_published, cheapest_micro, cheapest_currency, version, updated_seq
    from sandbox.search_listing ${withinWindow(window)}`
}
