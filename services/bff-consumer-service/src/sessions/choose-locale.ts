import { isLocale, LOCALES, type Locale, negotiateLocale, problem } from '@melmastoon/domain'

export interface LocaleWishes {
  /** Said in so many words, for this request. */
  readonly explicit: string | undefined
  /** Kept from an earlier one. */
  readonly preferred: Locale | undefined
  readonly acceptLanguage: string | undefined
  /** Where the request says it; in the body unless told otherwise. */
  readonly pointer?: string
}

/** What was said wins over what is remembered, and that over what a browser sends (C10). */
export function chooseLocale(wishes: LocaleWishes): Locale {
  const { explicit, preferred, acceptLanguage, pointer } = wishes
  if (explicit === undefined) return preferred ?? negotiateLocale(acceptLanguage)
  return knownLocale(explicit, pointer)
}

/** @throws Problem when the platform has no such language. */
export function knownLocale(value: string, pointer = '/locale'): Locale {
  if (isLocale(value)) return value
  const detail = `must be one of ${LOCALES.join(', ')}`
  throw problem('MELMASTOON.BFF.CONSUMER.LOCALE_NOT_SUPPORTED', {
    errors: [{ pointer, code: 'unsupported', detail }],
  })
}
