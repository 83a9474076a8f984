import type { CurrencyCode, Locale } from '@melmastoon/domain'
import { chooseCurrency } from './choose-currency.ts'
import { chooseLocale } from './choose-locale.ts'
import type { GuestSession } from './guest-session.ts'
import type { Visit } from './visit.ts'

/** The language and the currency an answer is in. */
export interface Preferences {
  readonly locale: Locale
  readonly currency: CurrencyCode
}

export interface PreferenceSources {
  /** The request's body. */
  readonly said: { readonly locale?: string; readonly currency?: string }
  readonly visit: Pick<Visit, 'acceptLanguage' | 'currency'>
  readonly kept: Pick<GuestSession, 'localePreference' | 'currencyPreference'> | undefined
}

/** @throws Problem for what is said in so many words and not in the platform's sets (C10). */
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
  })
  return { locale, currency }
}
