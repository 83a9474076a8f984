import type { ClientInfo } from '@melmastoon/bff/guests'
import {
  type CurrencyCode,
  type Locale,
  matchLocale,
  negotiateLocale,
  type ProblemCode,
  problem,
} from '@melmastoon/domain'
import { LRUCache } from 'lru-cache'
import { Type } from 'typebox'
import type { Site } from '../site/site.ts'
import type { BookingSessionData } from './booking-session.ts'

type SiteLocales = Pick<Site, 'locales' | 'defaultLocale'>
type SiteCurrencies = Pick<Site, 'currencies' | 'primaryCurrency'>

interface LocaleSources {
  /** Named by this request. */
  readonly explicit: string | undefined
  /** Of the session. */
  readonly preferred: Locale | undefined
  readonly acceptLanguage: string | undefined
  readonly pointer?: string
}

/** Within the locales of the site. @throws Problem for an explicit one that it does not have. */
export function chooseLocale(site: SiteLocales, sources: LocaleSources): Locale {
  const { explicit, preferred, acceptLanguage, pointer } = sources
  if (explicit !== undefined) return siteLocale(site, explicit, pointer)
  // The session's choice remains valid only as long as the hotel offers it.
  if (preferred !== undefined && site.locales.includes(preferred)) return preferred
  return acceptLanguage === undefined ? site.defaultLocale : negotiated(site, acceptLanguage)
}

interface PreferenceSources {
  /** Names the locale or the currency of this response only. */
  readonly query: { readonly locale?: string; readonly currency?: string }
  readonly client: Pick<ClientInfo, 'acceptLanguage' | 'currency'>
  /** Undefined without a session. */
  readonly stored: Pick<BookingSessionData, 'localePreference' | 'displayCurrency'> | undefined
}

/** For one response. @throws Problem for a locale or currency that the site does not have. */
export function choosePreferences(
  site: SiteLocales & SiteCurrencies,
  { query, client, stored }: PreferenceSources,
): { readonly locale: Locale; readonly currency: CurrencyCode } {
  return {
    locale: chooseLocale(site, {
      explicit: query.locale,
      preferred: stored?.localePreference,
      acceptLanguage: client.acceptLanguage,
      pointer: '/query/locale',
    }),
    currency: chooseCurrency(site, {
      explicit: query.currency ?? client.currency,
      preferred: stored?.displayCurrency,
      pointer: query.currency === undefined ? '/headers/x-currency' : '/query/currency',
    }),
  }
}

/** Browsers send few different headers, so each is parsed once per choice of locales. */
const negotiatedBefore = new LRUCache<string, Locale>({ max: 5_000 })
const HEADER_LENGTH_MAX = 256

function negotiated({ locales, defaultLocale }: SiteLocales, acceptLanguage: string): Locale {
  const key = `${defaultLocale} ${locales.join(' ')}|${acceptLanguage}`
  const known = negotiatedBefore.get(key)
  if (known !== undefined) return known
  const others = locales.filter((locale) => locale !== defaultLocale)
  const locale = negotiateLocale(acceptLanguage, [defaultLocale, ...others])
  if (acceptLanguage.length <= HEADER_LENGTH_MAX) negotiatedBefore.set(key, locale)
  return locale
}

/**
 * A currency as clients name it, in a query, a body or `X-Currency`: any text, so that one that the
 * site does not have is rejected with one code, whatever it looks like.
 */
export const RequestedCurrency = Type.String({
  description: 'ISO 4217, one of the currencies of the site; by default that of the session',
})

interface CurrencySources {
  /** Named by this request, also by `X-Currency`. */
  readonly explicit: string | undefined
  readonly preferred: CurrencyCode | undefined
  readonly pointer?: string
}

/** Within the currencies of the site. @throws Problem for an explicit one that it does not have. */
function chooseCurrency(site: SiteCurrencies, sources: CurrencySources): CurrencyCode {
  const { explicit, preferred, pointer } = sources
  if (explicit !== undefined) return siteCurrency(site, explicit, pointer)
  if (preferred !== undefined && site.currencies.includes(preferred)) return preferred
  return site.primaryCurrency
}

/** Tags are matched by lookup (D35): `en-US` is `en`. @throws Problem when none matches. */
export function siteLocale({ locales }: SiteLocales, value: string, pointer = '/locale'): Locale {
  const matched = matchLocale(value, locales)
  if (matched !== undefined) return matched
  throw notSupported('MELMASTOON.BFF.TENANT.LOCALE_NOT_SUPPORTED', pointer, locales)
}

/** @throws Problem when the site does not have it. */
export function siteCurrency(
  { currencies }: SiteCurrencies,
  value: string,
  pointer = '/currency',
): CurrencyCode {
  const found = currencies.find((currency) => currency === value)
  if (found !== undefined) return found
  throw notSupported('MELMASTOON.BFF.TENANT.CURRENCY_NOT_SUPPORTED', pointer, currencies)
}

function notSupported(code: ProblemCode, pointer: string, supported: readonly string[]) {
  const detail = `must be one of ${supported.join(', ')}`
  return problem(code, { errors: [{ pointer, code: 'unsupported', detail }] })
}
