import type { ClientInfo } from '@melmastoon/bff/guests'
import type { Preferences } from '@melmastoon/bff/preferences'
import { dropHeader, type SendCachedOptions } from '@melmastoon/chassis/http'
import type { FastifyReply } from 'fastify'
import { guestPreferences } from '../sessions/guest-preferences.ts'

const SHARED = 'public, max-age=15, s-maxage=300, stale-while-revalidate=60'

export interface PublicDocument {
  readonly preferences: Preferences
  readonly caching: SendCachedOptions
}

/**
 * A response that shared caches may store (D5): no cookie is read or set. Locale and currency come
 * from the URL, and from headers only where the URL has none; then the response varies on them.
 */
export function choosePublicDocument(
  query: { readonly locale?: string; readonly currency?: string },
  client: Pick<ClientInfo, 'acceptLanguage' | 'currency'>,
): PublicDocument {
  const preferences = {
    locale: guestPreferences.locale({
      explicit: query.locale,
      preferred: undefined,
      acceptLanguage: client.acceptLanguage,
      pointer: '/query/locale',
    }),
    currency: guestPreferences.currency({
      explicit: query.currency,
      header: client.currency,
      preferred: undefined,
      pointer: '/query/currency',
    }),
  }
  const isInUrl = query.locale !== undefined && query.currency !== undefined
  return {
    preferences,
    caching: { cacheControl: SHARED, ...(!isInUrl && { vary: 'Accept-Language, X-Currency' }) },
  }
}

/** Rate-limit headers concern one caller, and a shared cache would store them. */
export function dropOwnHeaders(reply: FastifyReply): void {
  dropHeader(reply, 'ratelimit')
  dropHeader(reply, 'ratelimit-policy')
}
