import type { KeyPrefix, Redis } from '@melmastoon/chassis/redis'
import { createSessionStore, type Session, type SessionStore } from '@melmastoon/chassis/sessions'
import { MarketingAttribution } from '@melmastoon/events'
import type { KeyRing } from '@melmastoon/security'
import { currency, id, instant, locale } from '@melmastoon/upstream-contracts'
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { DEVICE_CLASSES } from '../events/fields.ts'

export const SESSION_TTL_SECONDS = 2_592_000
const HASH = '^sha256:[0-9a-f]{64}$'

/** Guests cannot sign in yet, so no session has one. */
const LoyaltyContext = Type.Object({ guestId: id('gst') })

/** `SessionBlob` of the data model §3.1; the id is the store's. It names no person. */
export const BookingSessionData = Type.Object({
  tenantId: id('tnt'),
  createdAt: instant(),
  lastSeenAt: instant(),
  localePreference: locale(),
  displayCurrency: currency(),
  marketingAttribution: Type.Union([MarketingAttribution, Type.Null()]),
  /** Of a guest who is signed in; dropped when that session is revoked. */
  loyaltyContext: Type.Union([LoyaltyContext, Type.Null()]),
  activeBookingDraftId: Type.Union([id('bdr'), Type.Null()]),
  consentFlags: Type.Object({ telemetry: Type.Boolean(), functional: Type.Boolean() }),
  fingerprintHash: Type.String({ pattern: HASH }),
  ipHash: Type.String({ pattern: HASH }),
  deviceClass: Type.Enum([...DEVICE_CLASSES]),
})

export type BookingSessionData = Static<typeof BookingSessionData>

export type BookingSession = Session<BookingSessionData, 'tnt_session'>

export type BookingSessions = SessionStore<BookingSessionData, 'tnt_session'>

/** Shorter lives than a guest's, for tests. */
export interface SessionLives {
  readonly ttlSeconds?: number
  readonly memoryMs?: number
}

export interface BookingSessionDeps extends SessionLives {
  readonly redis: Redis
  /** Keys of the cookies' secret part. */
  readonly keys: KeyRing
  readonly keyPrefix: KeyPrefix
}

export function createBookingSessions(deps: BookingSessionDeps): BookingSessions {
  const stored = Compile(BookingSessionData)
  return createSessionStore({
    idPrefix: 'tnt_session',
    ttlSeconds: SESSION_TTL_SECONDS,
    parse: (value) => (stored.Check(value) ? value : null),
    ...deps,
  })
}
