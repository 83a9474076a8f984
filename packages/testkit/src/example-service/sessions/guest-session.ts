import type { Redis } from '@melmastoon/chassis/redis'
import { createSessionStore, type SessionStore } from '@melmastoon/chassis/sessions'

export const COOKIE_NAME = '__Host-gms_id'
export const SESSION_TTL_SECONDS = 2_592_000

export interface GuestSession {
  locale: string
}

export function createGuestSessions(redis: Redis): SessionStore<GuestSession> {
  return createSessionStore({
    redis,
    idPrefix: 'gms',
    keyPrefix: 'gms_session:',
    ttlSeconds: SESSION_TTL_SECONDS,
    parse: parseGuestSession,
  })
}

function parseGuestSession(value: unknown): GuestSession | null {
  if (typeof value !== 'object' || value === null || !('locale' in value)) return null
  return typeof value.locale === 'string' ? { locale: value.locale } : null
}
