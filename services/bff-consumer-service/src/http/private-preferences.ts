import type { Preferences } from '@melmastoon/bff/preferences'
import { guestPreferences } from '../sessions/guest-preferences.ts'
import type { RequestGuest } from './request-guest.ts'

/** What selects a private response besides its URL. */
export const PRIVATE_VARY = 'Accept-Language, X-Currency, Cookie'

interface NamedPreferences {
  readonly locale?: string
  readonly currency?: string
}

/** A URL with both selects the response alone. */
export function varyOf({ locale, currency }: NamedPreferences): { vary?: string } {
  return locale === undefined || currency === undefined ? { vary: PRIVATE_VARY } : {}
}

/**
 * The language and the currency of a response for one guest: as the URL says, else `X-Currency`,
 * else the session's (D35). Only documents for everybody ignore the session (D5).
 */
export function choosePrivatePreferences(
  { client, guest }: Pick<RequestGuest, 'client' | 'guest'>,
  query: NamedPreferences = {},
): Preferences {
  return {
    locale: guestPreferences.locale({
      explicit: query.locale,
      preferred: guest?.data.localePreference,
      acceptLanguage: client.acceptLanguage,
      pointer: '/query/locale',
    }),
    currency: guestPreferences.currency({
      explicit: query.currency,
      header: client.currency,
      preferred: guest?.data.currencyPreference,
      country: client.country,
      pointer: '/query/currency',
    }),
  }
}
