import { constantDocuments } from '@melmastoon/chassis/cache'
import {
  CURRENCY_CODES,
  currencyExponent,
  currencyName,
  currencySymbol,
  DEFAULT_LOCALE,
  directionOf,
  LOCALE_NAMES,
  LOCALES,
  type Locale,
} from '@melmastoon/domain'
import { currency, locale } from '@melmastoon/upstream-contracts'
import { type Static, Type } from 'typebox'

/** What a guest may choose. */
export const PlatformChoices = Type.Object({
  defaultLocale: locale(),
  locales: Type.Array(
    Type.Object({
      tag: Type.Unsafe<Locale>({ ...locale(), description: 'BCP 47' }),
      name: Type.String({ description: 'In the language itself' }),
      direction: Type.Enum(['ltr', 'rtl']),
    }),
  ),
  currencies: Type.Array(
    Type.Object({
      code: currency(),
      symbol: Type.String(),
      digits: Type.Integer({
        minimum: 0,
        description: 'Of the minor unit in which amounts are sent (ISO 4217)',
      }),
      name: Type.String({ description: 'In the language of the response' }),
    }),
  ),
})

type PlatformChoices = Static<typeof PlatformChoices>

function choicesIn(language: Locale): PlatformChoices {
  return {
    defaultLocale: DEFAULT_LOCALE,
    locales: LOCALES.map((tag) => ({
      tag,
      name: LOCALE_NAMES[tag],
      direction: directionOf(tag),
    })),
    currencies: CURRENCY_CODES.map((code) => ({
      code,
      symbol: currencySymbol(code),
      digits: currencyExponent(code),
      name: currencyName(code, language),
    })),
  }
}

export const choicesBytes = constantDocuments(choicesIn)
