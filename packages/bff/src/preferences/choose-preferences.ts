import {
  CURRENCY_CODES,
  type CurrencyCode,
  isCurrency,
  isLocale,
  LOCALES,
  type Locale,
  matchLocale,
  memoizeTexts,
  negotiateLocale,
  type ProblemCode,
  problem,
} from '@melmastoon/domain'
import { currencyOfCountry } from './currency-of-country.ts'

/** The language and the currency of a response. */
export interface Preferences {
  readonly locale: Locale
  readonly currency: CurrencyCode
}

export interface LocaleSources {
  /** Named by this request. */
  readonly explicit: string | undefined
  /** Of the session. */
  readonly preferred: Locale | undefined
  readonly acceptLanguage: string | undefined
  /** Where the request names it; in the body unless given. */
  readonly pointer?: string
}

export interface CurrencySources {
  /** Named by this request. */
  readonly explicit: string | undefined
  /** `X-Currency`: explicit too, and takes precedence over the session. */
  readonly header: string | undefined
  readonly preferred: CurrencyCode | undefined
  /** Where the request comes from. Not for shared responses: a CDN does not vary by country. */
  readonly country?: string | undefined
  /** Where the request names it; in the body unless given. */
  readonly pointer?: string
}

export interface PreferenceSources {
  /** The request's body. */
  readonly body: { readonly locale?: string; readonly currency?: string }
  readonly client: {
    readonly acceptLanguage: string | undefined
    readonly currency: string | undefined
    readonly country: string | undefined
  }
  /** Of the session; undefined for a new guest. */
  readonly stored:
    | { readonly localePreference: Locale; readonly currencyPreference: CurrencyCode }
    | undefined
}

/** The codes of the service for what the platform does not support. */
export interface PreferenceCodes {
  readonly locale: ProblemCode
  readonly currency: ProblemCode
}

/**
 * Explicit choices take precedence: those in the body of this request, or `X-Currency`, which
 * applies to one request. Next comes the session, and only for a new guest the languages of the
 * browser and the country (C10).
 */
export class PreferenceChooser {
  readonly #codes: PreferenceCodes

  constructor(codes: PreferenceCodes) {
    this.#codes = codes
  }

  /** @throws Problem for an explicit choice that the platform does not support. */
  choose({ body, client, stored }: PreferenceSources): Preferences {
    const locale = this.locale({
      explicit: body.locale,
      preferred: stored?.localePreference,
      acceptLanguage: client.acceptLanguage,
    })
    const currency = this.currency({
      explicit: body.currency,
      header: client.currency,
      preferred: stored?.currencyPreference,
      country: client.country,
    })
    return { locale, currency }
  }

  locale({ explicit, preferred, acceptLanguage, pointer }: LocaleSources): Locale {
    if (explicit === undefined) return preferred ?? negotiated(acceptLanguage ?? '')
    return this.knownLocale(explicit, pointer)
  }

  currency({ explicit, header, preferred, country, pointer }: CurrencySources): CurrencyCode {
    if (explicit !== undefined) return this.knownCurrency(explicit, pointer)
    if (header !== undefined) return this.knownCurrency(header, '/headers/x-currency')
    return preferred ?? currencyOfCountry(country)
  }

  /** `en-US` is `en`. @throws Problem when the platform does not support the language. */
  knownLocale(value: string, pointer = '/locale'): Locale {
    return knownLocale(value, this.#codes.locale, pointer)
  }

  /** @throws Problem when the platform does not support the currency. */
  knownCurrency(value: string, pointer = '/currency'): CurrencyCode {
    if (isCurrency(value)) return value
    throw notSupported(this.#codes.currency, pointer, CURRENCY_CODES)
  }
}

const negotiated = memoizeTexts((acceptLanguage): Locale => negotiateLocale(acceptLanguage))

/** By lookup (D35). @throws Problem with this code when the platform supports none of it. */
export function knownLocale(value: string, code: ProblemCode, pointer: string): Locale {
  const matched = isLocale(value) ? value : matchLocale(value)
  if (matched !== undefined) return matched
  throw notSupported(code, pointer, LOCALES)
}

function notSupported(code: ProblemCode, pointer: string, supported: readonly string[]) {
  const detail = `must be one of ${supported.join(', ')}`
  return problem(code, { errors: [{ pointer, code: 'unsupported', detail }] })
}
