import type { CurrencyCode, Locale } from '@melmastoon/domain'
import { chooseCurrency } from './choose-currency.ts'
import { chooseLocale } from './choose-locale.ts'
import type { GuestSessionData } from './guest-session.ts'
import type { Visit } from './visit.ts'

/** The language and the currency an answer is in. */
export interface Preferences {
  readonly locale: Locale
  readonly currency: CurrencyCode
}

export interface PreferenceSources {
  /** The request's body. */
  readonly said: { readonly locale?: string; readonly currency?: string }
  readonly visit: Pick<Visit, 'acceptLanguage' | 'currency' | 'country'>
  readonly kept: Pick<GuestSessionData, 'localePreference' | 'currencyPreference'> | undefined
}

/**
 * Explicit is what the guest said in so many words: in this request's body, or with `X-Currency`,
 * which is for one request and changes nothing that is kept. Next comes what her session has, and
 * only a newcomer is guessed, by her browser's languages and her country. The guess is kept as if
 * she had said it: pages do not change their language because another header comes along (C10).
 *
 * @throws Problem for what is said in so many words and not in the platform's sets.
 */
export function choosePreferences({ said, visit, kept }: PreferenceSources): Preferences {
  const locale = chooseLocale({
    explicit: said.locale,
    preferred: kept?.localePreference,
    acceptLanguage: visit.acceptLanguage,
  })
  const currency = chooseCurrency({
    explicit: said.currency,
    header: visit.currency,
    preferred: kept?.currencyPreference,
    country: visit.country,
  })
  return { locale, currency }
}
