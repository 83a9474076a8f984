import { CURRENCY_CODES, LOCALES } from '@melmastoon/domain'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { choosePreferences } from './choose-preferences.ts'
import { currencyOfCountry } from './currency-of-country.ts'

const STRANGER = { acceptLanguage: undefined, currency: undefined, country: undefined }
const KEPT = { localePreference: 'fa-AF', currencyPreference: 'USD' } as const

describe('C10 what was said wins', () => {
  it.each([
    ['a stranger', {}, {}, undefined, 'en', 'AFN'],
    ['a stranger’s browser', {}, { acceptLanguage: 'ps' }, undefined, 'ps-AF', 'AFN'],
    ['a stranger’s country', {}, { country: 'DE' }, undefined, 'en', 'EUR'],
    ['a stranger’s header', {}, { country: 'DE', currency: 'GBP' }, undefined, 'en', 'GBP'],
    ['her session', {}, { acceptLanguage: 'ps', country: 'DE' }, KEPT, 'fa-AF', 'USD'],
    ['the header of one request', {}, { currency: 'PKR' }, KEPT, 'fa-AF', 'PKR'],
    ['the body', { locale: 'en', currency: 'AED' }, { currency: 'PKR' }, KEPT, 'en', 'AED'],
    ['half a body', { currency: 'AED' }, { acceptLanguage: 'ps' }, KEPT, 'fa-AF', 'AED'],
  ])('%s', (_who, said, visit, kept, locale, currency) => {
    const chosen = choosePreferences({ said, visit: { ...STRANGER, ...visit }, kept })
    expect(chosen).toEqual({ locale, currency })
  })

  it('no header overrides what is kept, whatever it is, but the one for currencies', () => {
    const kept = fc.record({
      localePreference: fc.constantFrom(...LOCALES),
      currencyPreference: fc.constantFrom(...CURRENCY_CODES),
    })
    const visit = fc.record({
      acceptLanguage: fc.option(fc.string(), { nil: undefined }),
      country: fc.option(fc.string(), { nil: undefined }),
      currency: fc.constantFrom(undefined, ...CURRENCY_CODES),
    })
    fc.assert(
      fc.property(kept, visit, (hers, sent) => {
        expect(choosePreferences({ said: {}, visit: sent, kept: hers })).toEqual({
          locale: hers.localePreference,
          currency: sent.currency ?? hers.currencyPreference,
        })
      }),
    )
  })
})

describe('the currency of a country', () => {
  it.each([
    ['AF', 'AFN'],
    ['PK', 'PKR'],
    ['IR', 'IRR'],
    ['AE', 'AED'],
    ['GB', 'GBP'],
    ['JE', 'GBP'],
    ['DE', 'EUR'],
    ['HR', 'EUR'],
    ['XK', 'EUR'],
    ['US', 'USD'],
    ['TJ', 'USD'],
    ['TR', 'USD'],
    ['CH', 'USD'],
    ['ZZ', 'AFN'],
    ['XX', 'AFN'],
    [undefined, 'AFN'],
  ])('%s: %s', (country, currency) => {
    expect(currencyOfCountry(country)).toBe(currency)
  })

  it('is one we show, whatever is asked', () => {
    const names = fc.oneof(fc.string(), fc.constantFrom('constructor', '__proto__', 'toString'))
    fc.assert(
      fc.property(names, (country) => {
        expect(CURRENCY_CODES).toContain(currencyOfCountry(country))
      }),
    )
  })
})
