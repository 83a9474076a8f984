import { CURRENCY_CODES, LOCALES } from '@melmastoon/domain'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PreferenceChooser } from './choose-preferences.ts'
import { currencyOfCountry } from './currency-of-country.ts'

const preferences = new PreferenceChooser({
  locale: 'MELMASTOON.BFF.CONSUMER.LOCALE_NOT_SUPPORTED',
  currency: 'MELMASTOON.BFF.CONSUMER.CURRENCY_NOT_SUPPORTED',
})
const NEW_CLIENT = { acceptLanguage: undefined, currency: undefined, country: undefined }
const STORED = { localePreference: 'fa-AF', currencyPreference: 'USD' } as const

describe('C10 an explicit choice takes precedence', () => {
  it.each([
    ['a new guest', {}, {}, undefined, 'en', 'AFN'],
    ['a new guest’s browser', {}, { acceptLanguage: 'ps' }, undefined, 'ps-AF', 'AFN'],
    ['a new guest’s country', {}, { country: 'DE' }, undefined, 'en', 'EUR'],
    ['a new guest’s header', {}, { country: 'DE', currency: 'GBP' }, undefined, 'en', 'GBP'],
    ['the session', {}, { acceptLanguage: 'ps', country: 'DE' }, STORED, 'fa-AF', 'USD'],
    ['the header of one request', {}, { currency: 'PKR' }, STORED, 'fa-AF', 'PKR'],
    ['the body', { locale: 'en', currency: 'AED' }, { currency: 'PKR' }, STORED, 'en', 'AED'],
    ['half a body', { currency: 'AED' }, { acceptLanguage: 'ps' }, STORED, 'fa-AF', 'AED'],
  ])('%s', (_who, body, client, stored, locale, currency) => {
    const chosen = preferences.choose({ body, client: { ...NEW_CLIENT, ...client }, stored })
    expect(chosen).toEqual({ locale, currency })
  })

  it('no header overrides the session, except the one for currencies', () => {
    const storedSets = fc.record({
      localePreference: fc.constantFrom(...LOCALES),
      currencyPreference: fc.constantFrom(...CURRENCY_CODES),
    })
    const clients = fc.record({
      acceptLanguage: fc.option(fc.string(), { nil: undefined }),
      country: fc.option(fc.string(), { nil: undefined }),
      currency: fc.constantFrom(undefined, ...CURRENCY_CODES),
    })
    fc.assert(
      fc.property(storedSets, clients, (stored, sent) => {
        expect(preferences.choose({ body: {}, client: sent, stored })).toEqual({
          locale: stored.localePreference,
          currency: sent.currency ?? stored.currencyPreference,
        })
      }),
    )
  })
})

describe('C21 D35 a language tag', () => {
  it.each([
    ['en-US', 'en'],
    ['fa', 'fa-AF'],
    ['prs', 'fa-AF'],
    ['ps', 'ps-AF'],
  ])('%s is %s where a request names it', (tag, locale) => {
    const chosen = preferences.choose({
      body: { locale: tag },
      client: NEW_CLIENT,
      stored: { localePreference: 'en', currencyPreference: 'USD' },
    })
    expect(chosen.locale).toBe(locale)
    expect(preferences.knownLocale(tag)).toBe(locale)
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

  it('is a supported one for any input', () => {
    const names = fc.oneof(fc.string(), fc.constantFrom('constructor', '__proto__', 'toString'))
    fc.assert(
      fc.property(names, (country) => {
        expect(CURRENCY_CODES).toContain(currencyOfCountry(country))
      }),
    )
  })
})

describe('an unsupported choice', () => {
  it.each([
    [{ locale: 'tlh' }, {}, 'MELMASTOON.BFF.CONSUMER.LOCALE_NOT_SUPPORTED', '/locale'],
    [{ currency: 'XAU' }, {}, 'MELMASTOON.BFF.CONSUMER.CURRENCY_NOT_SUPPORTED', '/currency'],
    [
      {},
      { currency: 'XAU' },
      'MELMASTOON.BFF.CONSUMER.CURRENCY_NOT_SUPPORTED',
      '/headers/x-currency',
    ],
  ])('%j %j is rejected with the code of the service', (body, client, code, pointer) => {
    const choose = () =>
      preferences.choose({ body, client: { ...NEW_CLIENT, ...client }, stored: undefined })
    expect(choose).toThrow(
      expect.objectContaining({ code, errors: [expect.objectContaining({ pointer })] }),
    )
  })
})
