import type { Cache } from '@melmastoon/chassis/cache'
import { type AlertInboxCache, defineAlertInbox } from './alerts/alert-inbox.ts'
import { defineSourceCaches, type SourceCaches } from './boards/board-sources.ts'
import { type BoardCache, defineBoards } from './boards/read-board.ts'
import { definePriceCurrency, type PriceCurrencyCache } from './dashboard/price-currency.ts'
import { type DashboardCache, defineDashboards } from './dashboard/read-dashboard.ts'
import { definePreferences, type PreferencesCache } from './preferences/preferences.ts'
import { defineHotelTimes, type HotelTimesCache } from './properties/read-hotel-day.ts'
import { defineSuggestionInbox, type SuggestionInboxCache } from './suggestions/suggestion-inbox.ts'
import { defineSyncCursors, type SyncCursorCache } from './sync/sync-cursor.ts'
import { UPSTREAM_MS } from './upstreams/create-upstreams.ts'

/** Composing takes as long as two of its upstreams, one after the other. */
const BOARD_MS = UPSTREAM_MS.reservation + UPSTREAM_MS.billing

/** All caches of the service, with the lifetimes of the key schema. */
export interface Caches extends SourceCaches {
  readonly boards: BoardCache
  readonly dashboards: DashboardCache
  readonly hotelTimes: HotelTimesCache
  readonly priceCurrency: PriceCurrencyCache
  readonly alertInbox: AlertInboxCache
  readonly suggestionInbox: SuggestionInboxCache
  readonly preferences: PreferencesCache
  readonly syncCursors: SyncCursorCache
}

export function defineCaches(cache: Cache): Caches {
  return {
    ...defineSourceCaches(cache, UPSTREAM_MS),
    boards: defineBoards(cache, BOARD_MS),
    dashboards: defineDashboards(cache, BOARD_MS),
    hotelTimes: defineHotelTimes(cache, UPSTREAM_MS.property),
    priceCurrency: definePriceCurrency(cache, UPSTREAM_MS.pricing),
    alertInbox: defineAlertInbox(cache, UPSTREAM_MS.notification),
    suggestionInbox: defineSuggestionInbox(cache, UPSTREAM_MS.ai),
    preferences: definePreferences(cache, UPSTREAM_MS.tenant),
    syncCursors: defineSyncCursors(cache, UPSTREAM_MS.sync),
  }
}
