import type { KeyPrefix, Redis } from '@melmastoon/chassis/redis'
import { createSessionStore, type SessionStore } from '@melmastoon/chassis/sessions'
import { DEFAULT_LOCALE } from '@melmastoon/domain'
import type { KeyRing } from '@melmastoon/security'

export const COOKIE_NAME = '__Host-gms_id'
export const SESSION_TTL_SECONDS = 2_592_000

export interface GuestSession {
  locale: string
}

/** Of a session for which nothing is stored. */
export const INITIAL_DATA: GuestSession = { locale: DEFAULT_LOCALE }

export interface GuestSessionDeps {
  readonly redis: Redis
  readonly keys: KeyRing
  readonly keyPrefix: KeyPrefix
}

export function createGuestSessions(deps: GuestSessionDeps): SessionStore<GuestSession, 'gms'> {
  return createSessionStore({
    ...deps,
    idPrefix: 'gms',
    ttlSeconds: SESSION_TTL_SECONDS,
    parse: parseGuestSession,
  })
}

function parseGuestSession(value: unknown): GuestSession | null {
  if (typeof value !== 'object' || value === null || !('locale' in value)) return null
  return typeof value.locale === 'string' ? { locale: value.locale } : null
}
