import { DEFAULT_LOCALE } from '@melmastoon/domain'
import { type Static, Type } from 'typebox'

const GuestSession = Type.Object({ locale: Type.String() })
const ttlSeconds = 2_592_000

export const STORE = { schema: GuestSession, idPrefix: 'gms', ttlSeconds } as const
export const COOKIE = {
  cookieName: '__Host-gms_id',
  maxAgeSeconds: ttlSeconds,
  /** Of a session for which nothing is stored. */
  initialData: (): Static<typeof GuestSession> => ({ locale: DEFAULT_LOCALE }),
}
