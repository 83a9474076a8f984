import { dropHeader, type SendCachedOptions } from '@melmastoon/chassis/http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { chooseCurrency } from '../sessions/choose-currency.ts'
import { chooseLocale } from '../sessions/choose-locale.ts'
import type { Preferences } from '../sessions/choose-preferences.ts'
import { readVisit } from './read-visit.ts'

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
  request: FastifyRequest,
): PublicDocument {
  const visit = readVisit(request)
  const preferences = {
    locale: chooseLocale({
      explicit: query.locale,
      preferred: undefined,
      acceptLanguage: visit.acceptLanguage,
      pointer: '/query/locale',
    }),
    currency: chooseCurrency({
      explicit: query.currency,
      header: visit.currency,
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
