import { CampaignAttribution } from '@melmastoon/bff/guests'
import { Occupancy } from '@melmastoon/bff/stays'
import type { KeyPrefix, Redis } from '@melmastoon/chassis/redis'
import { createSessionStore, type Session, type SessionStore } from '@melmastoon/chassis/sessions'
import type { KeyRing } from '@melmastoon/security'
import { currency, id, instant, locale, Stay } from '@melmastoon/upstream-contracts'
import { GeoArea } from '@melmastoon/upstream-contracts/search'
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'

export const COOKIE_NAME = '__Host-gms_id'
export const SESSION_TTL_SECONDS = 2_592_000
export const RECENTLY_VIEWED_MAX = 50
export const WISHLIST_MAX = 100
export const SEARCH_HISTORY_MAX = 25
const HASH = '^sha256:[0-9a-f]{64}$'

const RecentlyViewedEntry = Type.Object({
  propertyId: id('ppt'),
  tenantId: id('tnt'),
  viewedAt: instant(),
  source: Type.Enum(['search-list', 'search-map', 'detail-link', 'wishlist']),
})

export type RecentlyViewedEntry = Static<typeof RecentlyViewedEntry>

const WishlistRef = Type.Object({
  wishlistId: id('wsh'),
  propertyId: id('ppt'),
  tenantId: id('tnt'),
  addedAt: instant(),
})

export type WishlistRef = Static<typeof WishlistRef>

const SearchHistoryEntry = Type.Object({
  searchSessionId: id('srs'),
  queryHash: Type.String({ pattern: HASH }),
  geo: GeoArea,
  dates: Stay,
  occupancy: Occupancy,
  executedAt: instant(),
})

export type SearchHistoryEntry = Static<typeof SearchHistoryEntry>

const Shown = {
  createdAt: instant(),
  lastSeenAt: instant(),
  localePreference: locale(),
  currencyPreference: currency(),
  recentlyViewed: Type.Array(RecentlyViewedEntry, { maxItems: RECENTLY_VIEWED_MAX }),
  wishlistRefs: Type.Array(WishlistRef, { maxItems: WISHLIST_MAX }),
  searchHistory: Type.Array(SearchHistoryEntry, { maxItems: SEARCH_HISTORY_MAX }),
  campaignAttribution: Type.Optional(CampaignAttribution),
  flags: Type.Object({ consentTelemetry: Type.Boolean(), consentMarketing: Type.Boolean() }),
}

/** As it is stored; the id is the store's (domain model §2.1). It names no tenant and no person. */
const GuestSessionData = Type.Object({
  ...Shown,
  cookieFingerprintHash: Type.String({ pattern: HASH }),
})

export type GuestSessionData = Static<typeof GuestSessionData>

export type GuestSession = Session<GuestSessionData, 'gms'>

export type GuestSessions = SessionStore<GuestSessionData, 'gms'>

/** As the guest sees it, without the fingerprint of the device. */
export const GuestSessionVM = Type.Object({ id: id('gms'), ...Shown })

export type GuestSessionVM = Static<typeof GuestSessionVM>

export function viewOf({ id: sessionId, data }: GuestSession): GuestSessionVM {
  const { cookieFingerprintHash: _hidden, ...shown } = data
  return { id: sessionId, ...shown }
}

/** Shorter lives than a guest's, for tests. */
export interface SessionLives {
  readonly ttlSeconds?: number
  readonly memoryMs?: number
}

export interface GuestSessionDeps extends SessionLives {
  readonly redis: Redis
  /** Keys of the cookies' secret part. */
  readonly keys: KeyRing
  readonly keyPrefix: KeyPrefix
}

export function createGuestSessions(deps: GuestSessionDeps): GuestSessions {
  const stored = Compile(GuestSessionData)
  return createSessionStore({
    idPrefix: 'gms',
    ttlSeconds: SESSION_TTL_SECONDS,
    parse: (value) => (stored.Check(value) ? value : null),
    ...deps,
  })
}
