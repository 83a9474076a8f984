import fc from 'fast-check'
import { type CountryCode, getExampleNumber } from 'libphonenumber-js/max'
import examples from 'libphonenumber-js/mobile/examples'
import { describe, expect, it } from 'vitest'
import { isCountry, normalizePhone } from './guest-phone.ts'

describe('T7 phone numbers', () => {
  it.each([
    ['0700 123 456', 'AF', '+93700123456'],
    ['700123456', 'AF', '+93700123456'],
    ['٠٧٠٠ ١٢٣ ٤٥٦', 'AF', '+93700123456'],
    ['۰۷۰۰-۱۲۳-۴۵۶', 'AF', '+93700123456'],
    ['+۹۳ ۷۰۰ ۱۲۳ ۴۵۶', 'DE', '+93700123456'],
    ['0093 700 123 456', 'AF', '+93700123456'],
    ['\u202a+93 700 123 456\u202c', 'AF', '+93700123456'],
    ['＋93 700 123 456', 'AF', '+93700123456'],
    ['0301 2345678', 'PK', '+923012345678'],
    ['0912 345 6789', 'IR', '+989123456789'],
    ['(030) 901820', 'DE', '+4930901820'],
    ['+44 20 7946 0958', 'AF', '+442079460958'],
    ['+1 202-555-0123', 'AQ', '+12025550123'],
  ])('reads %s of %s as %s', (text, region, value) => {
    expect(normalizePhone(text, region)).toEqual({ value })
  })

  it.each([
    ['', 'AF', 'required'],
    ['0700 123', 'AF', 'phone'],
    ['0700 123 456', 'AQ', 'phone'],
    ['0700 123 456', 'GB', 'phone'],
    ['+93 100 123 456', 'AF', 'phone'],
    ['call 0700123456', 'AF', 'phone'],
    ['tel:0700123456', 'AF', 'phone'],
    ['0700123456<script>', 'AF', 'phone'],
    ['112', 'DE', 'phone'],
    ['0700123456 ext. 5', 'AF', 'phone_extension'],
    ['0900 1 234567', 'DE', 'phone_charged'],
    ['0'.repeat(41), 'AF', 'too_long'],
  ])('rejects %j of %s: %s', (text, region, error) => {
    expect(normalizePhone(text, region)).toEqual({ error })
  })

  const REGIONS: readonly CountryCode[] = [
    ...([
      'AF',
      'PK',
      'IR',
      'TJ',
      'UZ',
      'TM',
      'IN',
      'CN',
      'TR',
      'AE',
      'SA',
      'DE',
      'FR',
      'IT',
    ] as const),
    ...(['GB', 'US', 'CA', 'AU', 'BR', 'ZA', 'KE', 'JP', 'KR', 'RU', 'KZ'] as const),
  ]
  const ZEROS = [0x30, 0x660, 0x6f0, 0x966]
  const inScript = (text: string, zero: number) =>
    text.replaceAll(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)))

  it('reads the national and the international form of a number alike, in every digit', () => {
    const regions = fc.constantFrom(...REGIONS)
    fc.assert(
      fc.property(regions, fc.constantFrom(...ZEROS), (region, zero) => {
        const example = getExampleNumber(region, examples)
        const value = example?.number
        expect(value).toBeDefined()
        const national = inScript(example?.formatNational() ?? '', zero)
        expect(normalizePhone(national, region)).toEqual({ value })
        const international = inScript(example?.formatInternational() ?? '', zero)
        expect(normalizePhone(international, 'AF')).toEqual({ value })
      }),
    )
  })

  it('rejects any text or gives an E.164 number that it accepts unchanged', () => {
    const typed = fc.string({
      unit: fc.constantFrom(...Array.from('+0123456789 ()-۰۹٠٩x#;')),
      maxLength: 20,
    })
    fc.assert(
      fc.property(typed, fc.constantFrom(...REGIONS), (text, region) => {
        const result = normalizePhone(text, region)
        if ('error' in result) return
        expect(result.value).toMatch(/^\+[1-9]\d{5,14}$/)
        expect(normalizePhone(result.value, 'AF')).toEqual(result)
      }),
      { numRuns: 1_000 },
    )
  })
})

describe('T7 countries', () => {
  it('knows ISO 3166, also countries without a calling code', () => {
    expect(['AF', 'PN', 'AQ', 'XK'].every(isCountry)).toBe(true)
    expect(['ZZ', 'XX', 'EU', 'af', 'AFG', ''].some(isCountry)).toBe(false)
  })
})
