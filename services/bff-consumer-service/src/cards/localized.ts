import type { Locale } from '@melmastoon/domain'
import type { LocalizedString } from '@melmastoon/upstream-contracts'
import type { Static } from 'typebox'

type Localized = Static<typeof LocalizedString>

/** The text for one reader: her locale, else her language, else the one every text has. */
export function textFor({ default: fallback, localized }: Localized, locale: Locale): string {
  if (localized === undefined) return fallback
  const exact = localized[locale]
  if (exact !== undefined) return exact
  const [language = ''] = locale.split('-', 1)
  return localized[language] ?? fallback
}

/** Only what a localised text consists of, whatever else came along. */
export function onlyTexts({ default: fallback, localized }: Localized): Localized {
  return localized === undefined ? { default: fallback } : { default: fallback, localized }
}
