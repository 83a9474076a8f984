import { constantDocuments } from '@melmastoon/chassis/cache'
import {
  CURRENCY_CODES,
  type CurrencyCode,
  currencyExponent,
  currencyName,
  currencySymbol,
  DEFAULT_LOCALE,
  directionOf,
  LOCALE_NAMES,
  LOCALES,
  type Locale,
} from '@melmastoon/domain'
import { currency, locale, named } from '@melmastoon/upstream-contracts'
import { type Static, Type } from 'typebox'

/** What a guest may choose. */
export const PlatformChoices = named(
  'PlatformChoices',
  Type.Object({
    defaultLocale: Type.Unsafe<Locale>({
      ...locale(),
      description: 'Of a guest whose languages are not supported',
    }),
    locales: Type.Array(
      Type.Object({
        tag: Type.Unsafe<Locale>({ ...locale(), description: 'BCP 47' }),
        name: Type.String({ description: 'In the language itself' }),
        direction: Type.Enum(['ltr', 'rtl'], { description: 'In which the language is written' }),
      }),
      { description: 'The languages of all texts' },
    ),
    currencies: Type.Array(
      Type.Object({
        code: Type.Unsafe<CurrencyCode>({ ...currency(), description: 'ISO 4217' }),
        symbol: Type.String({ description: 'Shown next to an amount' }),
        digits: Type.Integer({
          minimum: 0,
          description: 'Of the minor unit in which amounts are sent (ISO 4217)',
        }),
        name: Type.String({ description: 'In the language of the response' }),
      }),
      { description: 'The currencies in which prices can be shown' },
    ),
  }),
)

type PlatformChoices = Static<typeof PlatformChoices>

export function choicesIn(language: Locale): PlatformChoices {
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
