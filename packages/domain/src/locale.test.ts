import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { directionOf, isLocale, LOCALES, matchLocale, negotiateLocale } from './locale.ts'

describe('C10 locales', () => {
  it.each(['EN', 'en-US', 'ps', 'fa', 'fa-af', '', null, 1, ['en']])(
    'C10 %j is not a locale',
    (tag) => {
      expect(isLocale(tag)).toBe(false)
    },
  )

  it.each([
    ['en', 'ltr'],
    ['ps-AF', 'rtl'],
    ['fa-AF', 'rtl'],
    ['FA', 'rtl'],
    ['prs', 'rtl'],
    ['ar-EG', 'rtl'],
    ['ur', 'rtl'],
    ['fr', 'ltr'],
    ['', 'ltr'],
  ])('C10 %s has direction %s', (tag, direction) => {
    expect(directionOf(tag)).toBe(direction)
  })

  it.each([
    [undefined, 'en'],
    ['', 'en'],
    ['ps-AF', 'ps-AF'],
    ['PS-af', 'ps-AF'],
    ['ps', 'ps-AF'],
    ['fa-IR,fa;q=0.9', 'fa-AF'],
    ['prs-AF', 'fa-AF'],
    ['pbt', 'ps-AF'],
    ['en-GB,en;q=0.9', 'en'],
    ['en;q=0.2, ps-AF;q=0.8', 'ps-AF'],
    ['de, fr;q=0.9, fa;q=0.1', 'fa-AF'],
    ['de', 'en'],
    ['*', 'en'],
    ['en;q=0, *', 'ps-AF'],
    ['ps;q=1.5', 'en'],
    ['fa;q=0.1234', 'en'],
    ['\u0000, ps-AF', 'ps-AF'],
    [`${'x'.repeat(1100)}, ps-AF`, 'en'],
    [`${'de,'.repeat(40)}ps-AF`, 'en'],
  ])('C10 %j negotiates to %s', (header, expected) => {
    expect(negotiateLocale(header)).toBe(expected)
  })

  it('C10 equal qualities are ordered as in the header', () => {
    expect(negotiateLocale('fa, ps, en')).toBe('fa-AF')
    expect(negotiateLocale('ps;q=0.5, fa;q=0.5')).toBe('ps-AF')
  })

  it('C10 prefers an exact tag to its language', () => {
    expect(negotiateLocale('fa-AF', ['fa-IR', 'fa-AF'])).toBe('fa-AF')
  })

  it('C10 falls back to the first supported tag and requires one', () => {
    expect(negotiateLocale('de', ['ps-AF', 'en'])).toBe('ps-AF')
    expect(() => negotiateLocale('de', [])).toThrow(TypeError)
  })

  it('C10 returns a platform locale for any header', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii', maxLength: 200 }), (header) => {
        expect(LOCALES).toContain(negotiateLocale(header))
      }),
    )
  })
})

describe('C21 D35 one language tag', () => {
  it.each([
    ['en', 'en'],
    ['en-US', 'en'],
    ['EN-gb', 'en'],
    ['en-Latn-US-x-private', 'en'],
    ['eng', 'en'],
    ['ps', 'ps-AF'],
    ['ps-AF', 'ps-AF'],
    ['ps_AF', 'ps-AF'],
    ['ps-Arab-PK', 'ps-AF'],
    ['pus', 'ps-AF'],
    ['fa', 'fa-AF'],
    ['fa-IR', 'fa-AF'],
    ['fa-AF-u-nu-latn', 'fa-AF'],
    ['prs', 'fa-AF'],
    ['prs-AF', 'fa-AF'],
  ])('C21 %s is %s', (tag, locale) => {
    expect(matchLocale(tag)).toBe(locale)
  })

  it.each(['de', 'ar-AF', 'ur', 'tlh', 'english', 'e', '', '*', 'en,fa', 'en;q=1', 'fa-', '-fa'])(
    'C21 %j has no locale',
    (tag) => {
      expect(matchLocale(tag)).toBeUndefined()
    },
  )

  it('C21 the longest supported prefix wins (RFC 4647 §3.4)', () => {
    const supported = ['fa', 'fa-AF', 'fa-Arab', 'en']
    expect(matchLocale('fa-AF-x-a', supported)).toBe('fa-AF')
    expect(matchLocale('fa-Arab-AF', supported)).toBe('fa-Arab')
    expect(matchLocale('fa-IR', supported)).toBe('fa')
    expect(matchLocale('prs-AF', supported)).toBe('fa-AF')
    expect(matchLocale('ps', supported)).toBeUndefined()
  })

  it('C21 a tag is matched as a header with this tag alone', () => {
    const subtag = fc.constantFrom('en', 'fa', 'ps', 'prs', 'de', 'AF', 'US', 'Arab', 'x', 'u')
    const tags = fc.array(subtag, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('-'))
    fc.assert(
      fc.property(tags, (tag) => {
        expect(matchLocale(tag) ?? 'en').toBe(negotiateLocale(tag))
      }),
    )
  })
})
