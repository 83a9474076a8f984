import type { Locale } from './locale.ts'

/** A text with a default and translations by locale (`fa-AF`) or language (`fa`). */
export interface LocalizedText {
  readonly default: string
  readonly localized?: Readonly<Record<string, string>>
}

/** The translation for the locale, else for its language, else the default. */
export function textFor({ default: fallback, localized }: LocalizedText, locale: Locale): string {
  if (localized === undefined) return fallback
  const exact = localized[locale]
  if (exact !== undefined) return exact
  const [language = ''] = locale.split('-', 1)
  return localized[language] ?? fallback
}

/** Copies the declared members only: undeclared members of an upstream response are dropped. */
export function pickLocalizedText({ default: fallback, localized }: LocalizedText): LocalizedText {
  return localized === undefined ? { default: fallback } : { default: fallback, localized }
}
