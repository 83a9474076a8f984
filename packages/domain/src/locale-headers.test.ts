import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LOCALES, type Locale, negotiateLocale } from './locale.ts'

type Row = readonly [sender: string, header: string | undefined, expected: Locale]

/** Headers sent by travellers' devices. */
const DEVICES: readonly Row[] = [
  ['Chrome, English', 'en-US,en;q=0.9', 'en'],
  ['Chrome, British', 'en-GB,en-US;q=0.9,en;q=0.8', 'en'],
  ['Chrome, Canada', 'en-CA,en;q=0.9,fr-CA;q=0.8,fr;q=0.7', 'en'],
  ['Chrome, Pashto first', 'ps-AF,ps;q=0.9,en-US;q=0.8,en;q=0.7', 'ps-AF'],
  ['Chrome, Pashto without a country', 'ps,en-US;q=0.9,en;q=0.8', 'ps-AF'],
  ['Chrome, Pashto of Pakistan', 'ps-PK,ps;q=0.9,ur;q=0.8,en;q=0.7', 'ps-AF'],
  ['Chrome, Persian of Iran', 'fa-IR,fa;q=0.9,en-US;q=0.8,en;q=0.7', 'fa-AF'],
  ['Chrome, Persian', 'fa,en-US;q=0.9,en;q=0.8', 'fa-AF'],
  ['Chrome, Dari', 'fa-AF,fa;q=0.9,en;q=0.8', 'fa-AF'],
  ['Chrome, English before Persian', 'en-US,en;q=0.9,fa;q=0.8', 'en'],
  ['Chrome, Urdu and English', 'ur-PK,ur;q=0.9,en-US;q=0.8,en;q=0.7', 'en'],
  ['Chrome, Urdu and Pashto', 'ur-PK,ur;q=0.9,ps;q=0.8,en;q=0.7', 'ps-AF'],
  ['Chrome, German with Dari', 'de-DE,de;q=0.9,fa-AF;q=0.8,en-US;q=0.7,en;q=0.6', 'fa-AF'],
  ['Chrome, German', 'de-DE,de;q=0.9,en-US;q=0.8,en;q=0.7', 'en'],
  ['Chrome, Turkish alone', 'tr-TR,tr;q=0.9', 'en'],
  ['Chrome, Russian', 'ru-RU,ru;q=0.9,en-US;q=0.8,en;q=0.7', 'en'],
  ['Chrome, Tajik', 'tg-TJ,tg;q=0.9,ru;q=0.8', 'en'],
  ['Chrome, Uzbek and Persian', 'uz-AF,uz;q=0.9,fa;q=0.8', 'fa-AF'],
  ['Chrome, Chinese', 'zh-CN,zh;q=0.9', 'en'],
  ['Chrome, incognito', 'ps-AF', 'ps-AF'],
  ['Chrome on Android, Dari with script', 'fa-Arab-AF,fa;q=0.9', 'fa-AF'],
  ['Edge, English', 'en-US,en;q=0.9,en-GB;q=0.8', 'en'],
  ['Edge, Dari of Windows', 'prs-AF,prs;q=0.9,en;q=0.8,en-GB;q=0.7,en-US;q=0.6', 'fa-AF'],
  ['Edge, Pashto of Windows', 'ps-AF,ps;q=0.9,en;q=0.8', 'ps-AF'],
  ['Opera, Arabic and French', 'ar-DZ,ar;q=0.9,fr;q=0.8,en-US;q=0.7,en;q=0.6', 'en'],
  ['Firefox, English', 'en-US,en;q=0.5', 'en'],
  ['Firefox, British', 'en-GB,en;q=0.5', 'en'],
  ['Firefox, Persian', 'fa,en-US;q=0.7,en;q=0.3', 'fa-AF'],
  ['Firefox, Persian of Iran', 'fa-IR,fa;q=0.8,en-US;q=0.5,en;q=0.3', 'fa-AF'],
  ['Firefox, Pashto added', 'ps,fa;q=0.8,en-US;q=0.5,en;q=0.3', 'ps-AF'],
  ['Firefox, Arabic', 'ar,en-US;q=0.7,en;q=0.3', 'en'],
  ['Firefox, French', 'fr,fr-FR;q=0.8,en-US;q=0.5,en;q=0.3', 'en'],
  ['Firefox with fingerprinting off', 'en-US,en;q=0.5', 'en'],
  ['Safari on a Mac', 'en-GB,en;q=0.9', 'en'],
  ['Safari on a phone, Persian', 'fa-IR', 'fa-AF'],
  ['Safari on a phone, Pashto', 'ps-AF,ps;q=0.9', 'ps-AF'],
  ['Safari on a phone, Urdu', 'ur-PK,ur;q=0.9,en-GB;q=0.8,en;q=0.7', 'en'],
  ['Safari, old', 'en-us', 'en'],
  ['Safari, old, Persian', 'fa-ir', 'fa-AF'],
  ['Samsung Internet, English', 'en-GB,en-US;q=0.9,en;q=0.8', 'en'],
  ['Samsung Internet, Pashto', 'ps-AF,ps;q=0.9,en-GB;q=0.8,en-US;q=0.7,en;q=0.6', 'ps-AF'],
  [
    'Samsung Internet, Dari',
    'fa-AF,fa-IR;q=0.9,fa;q=0.8,en-GB;q=0.7,en-US;q=0.6,en;q=0.5',
    'fa-AF',
  ],
  ['Samsung Internet, Arabic', 'ar-AE,ar;q=0.9,en-US;q=0.8,en;q=0.7', 'en'],
  ['UC Browser', 'en-US', 'en'],
  ['WebView of an old phone', 'en-US', 'en'],
  ['a phone in Kabul', 'ps-AF, en-US', 'ps-AF'],
  ['a phone in Herat', 'fa-AF, en-US', 'fa-AF'],
  ['React Native with the locale of the device', 'fa_AF', 'fa-AF'],
  ['Java with its own form', 'ps_AF', 'ps-AF'],
  ['Java with script', 'fa_AF_#Arab, en', 'en'],
  ['okhttp', undefined, 'en'],
  ['three letters for Pashto', 'pus,en;q=0.5', 'ps-AF'],
  ['southern Pashto', 'pbt-AF', 'ps-AF'],
  ['three letters for Persian', 'fas,per;q=0.9', 'fa-AF'],
  ['Iranian Persian by code', 'pes-IR,en;q=0.2', 'fa-AF'],
]

/** Headers sent by crawlers and HTTP libraries. */
const MACHINES: readonly Row[] = [
  ['curl', undefined, 'en'],
  ['Googlebot', undefined, 'en'],
  ['Bingbot', 'en-US,en;q=0.9,*;q=0.5', 'en'],
  ['YandexBot', 'ru, uk;q=0.8, be;q=0.8, en;q=0.7, *;q=0.01', 'en'],
  ['Baiduspider', 'zh-cn,zh-tw', 'en'],
  ['Applebot', 'en-US,en;q=0.9', 'en'],
  ['a library’s default', '*', 'en'],
  ['fetch of Node', '*', 'en'],
  ['python-requests', undefined, 'en'],
  ['Java', 'en-US, *; q=.2', 'en'],
]

/** Forms that RFC 9110 allows, and invalid forms that occur in practice. */
const FORMS: readonly Row[] = [
  ['nothing', '', 'en'],
  ['a blank', '   ', 'en'],
  ['commas', ',,,', 'en'],
  ['an empty member', ', ps-AF ,, en', 'ps-AF'],
  ['spaces everywhere', '  fa-AF ; q=0.9 ,\ten ; q=0.8 ', 'fa-AF'],
  ['capitals', 'PS-AF,EN;Q=0.5', 'ps-AF'],
  ['a quality of three digits', 'en;q=0.899,ps;q=0.900', 'ps-AF'],
  ['a whole quality', 'fa;q=1.000,en;q=1.0', 'fa-AF'],
  ['a quality with a dot alone', 'fa;q=1.,en;q=0.', 'fa-AF'],
  ['the smallest quality', 'de,ps;q=0.001', 'ps-AF'],
  ['one excluded', 'ps;q=0,fa;q=0.1', 'fa-AF'],
  ['all excluded', '*;q=0', 'en'],
  ['the rest excluded', 'ps-AF, *;q=0', 'ps-AF'],
  ['all but English', '*, en;q=0', 'ps-AF'],
  ['the rest before a language', '*;q=0.1, fa;q=0.5', 'fa-AF'],
  ['too large a quality', 'ps;q=2,fa;q=0.5', 'fa-AF'],
  ['a negative quality', 'ps;q=-1,fa', 'fa-AF'],
  ['a quality in words', 'ps;q=high,fa;q=0.2', 'fa-AF'],
  ['a comma for a dot', 'de;q=0,9, ps;q=0.5', 'ps-AF'],
  ['another parameter', 'ps;level=1,fa', 'fa-AF'],
  ['a semicolon for a comma', 'ps;fa', 'en'],
  ['a range within', 'fa-*', 'en'],
  ['a private tag', 'x-pashto, fa;q=0.1', 'fa-AF'],
  ['an old tag', 'i-default', 'en'],
  ['the locale of a server', 'C', 'en'],
  ['the word null', 'null', 'en'],
  ['the word undefined', 'undefined', 'en'],
  ['a prefix of a language', 'p, f, e', 'en'],
  ['a word that begins like one', 'english, pashto', 'en'],
  ['another script', 'پښتو', 'en'],
  ['markup', '<script>alert(1)</script>', 'en'],
  ['a path', '../../etc/passwd, ps', 'ps-AF'],
  ['a query', "ps' or 1=1 --", 'en'],
  ['a null byte', 'ps\u0000-AF', 'en'],
  ['a property of every object', 'constructor, __proto__, toString', 'en'],
]

describe('C10 Accept-Language headers of real clients', () => {
  it.each([...DEVICES, ...MACHINES, ...FORMS])('%s: %j is %s', (_sender, header, expected) => {
    expect(negotiateLocale(header)).toBe(expected)
  })

  it('cover every platform language', () => {
    const seen = new Set(DEVICES.map(([, , expected]) => expected))
    expect([...seen].toSorted()).toEqual(LOCALES.toSorted())
  })
})

describe('C10 negotiation', () => {
  const tag = fc.constantFrom('en', 'ps', 'fa', 'ps-AF', 'fa-IR', 'de', '*', 'prs', 'x', '-', '')
  const quality = fc.constantFrom('', ';q=0', ';q=1', ';q=0.5', '; q=0.333', ';q=', ';q=9', ';;')
  const member = fc.tuple(tag, quality).map((parts) => parts.join(''))
  const likely = fc.array(member, { maxLength: 40 }).map((members) => members.join(','))
  const anything = fc.string({ unit: 'binary', maxLength: 2_000 })

  it('never fails and always returns a platform language', () => {
    fc.assert(
      fc.property(fc.oneof(likely, anything), (header) => {
        expect(LOCALES).toContain(negotiateLocale(header))
      }),
      { numRuns: 2_000 },
    )
  })

  it('does not depend on letter case or on whitespace between members', () => {
    fc.assert(
      fc.property(likely, (header) => {
        const spoken = negotiateLocale(header)
        expect(negotiateLocale(header.toUpperCase())).toBe(spoken)
        expect(negotiateLocale(header.replaceAll(',', ' , '))).toBe(spoken)
      }),
    )
  })

  it('returns the supported language with the highest quality', () => {
    fc.assert(
      fc.property(fc.constantFrom(...LOCALES), likely, (locale, others) => {
        const rest = others.split(',').filter((other) => !/;q=(1|0)?$|^[^;]*$/.test(other))
        expect(negotiateLocale([locale, ...rest].join(','))).toBe(locale)
      }),
    )
  })
})
