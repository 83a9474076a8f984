import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { asciiDigits, normalizeName, normalizeRequests } from './normalize-guest-text.ts'

const LONGEST = 120

describe('T7 names', () => {
  it.each([
    ['Latin', 'Zarghuna Ana'],
    ['diacritics', 'Đặng Thị Ngọc Ánh'],
    ['apostrophe', 'Siobhán O’Brien'],
    ['typewriter apostrophe', "Sinead O'Connor"],
    ['hyphens', 'Anne-Marie Smith‐Jones'],
    ['initials and suffix', 'Dr. J. R. Ewing, 3rd'],
    ['Pashto', 'زرغونه انا'],
    ['Dari with zero-width non-joiner', 'علی\u200cرضا حسینی'],
    ['Arabic with vowels', 'مُحَمَّد عَبْدُ ٱللَّٰه'],
    ['Hebrew with gershayim', 'צה״ל כהן'],
    ['Chinese', '王小明'],
    ['Japanese with middle dot', 'マリア・ガルシア'],
    ['Korean', '김철수'],
    ['Devanagari with joiner', 'क्\u200dषत्रिय'],
    ['Tamil', 'சுப்பிரமணியன்'],
    ['Thai', 'สมชาย ใจดี'],
    ['Tibetan', 'བསྟན་འཛིན'.replaceAll('་', ' ')],
    ['Georgian', 'გიორგი'],
    ['Ethiopic', 'ኃይለ ሥላሴ'],
    ['Cherokee', 'ᏍᏏᏉᏯ'],
    ['outside the basic plane', '𞤀𞤣𞤤𞤢𞤥'],
    ['a single letter', 'O'],
  ])('accepts a name: %s', (_what, name) => {
    expect(normalizeName(name)).toEqual({ value: name.normalize('NFC') })
  })

  it.each([
    ['nothing', '  \t ', 'required'],
    ['only marks of direction', '\u200e\u200f', 'required'],
    ['only punctuation', "-.'", 'no_letter'],
    ['only digits', '12345', 'no_letter'],
    ['only joiners', '\u200c\u200d', 'no_letter'],
    ['an invisible letter', 'Hangul\u3164filler', 'characters'],
    ['a soft hyphen', 'Zar\u00adghuna', 'characters'],
    ['a control character', 'Zar\u0000ghuna', 'characters'],
    ['an escape sequence', 'Zar\u001b[31m', 'characters'],
    ['an override of direction', 'Zar\u202eghuna', 'direction_control'],
    ['an isolate', '\u2066Zarghuna\u2069', 'direction_control'],
    ['half of a surrogate pair', 'Zar\ud800', 'characters'],
    ['markup', '<b>Zarghuna</b>', 'characters'],
    ['an e-mail address', 'zarghuna@example.com', 'characters'],
    ['a link', 'http://example.com', 'characters'],
    ['an emoji', 'Zarghuna 😀', 'characters'],
    ['a mark without a letter', '\u0301Zarghuna', 'characters'],
    ['a pile of marks', `Z${'\u0301\u0302'.repeat(5)}`, 'characters'],
    ['121 characters', 'ز'.repeat(LONGEST + 1), 'too_long'],
  ])('rejects %s', (_what, name, error) => {
    expect(normalizeName(name)).toEqual({ error })
  })

  it('counts characters, not code units, after normalisation', () => {
    expect(normalizeName('𞤀'.repeat(LONGEST))).toHaveProperty('value')
    expect(normalizeName('e\u0301'.repeat(LONGEST))).toEqual({ value: 'é'.repeat(LONGEST) })
    expect(normalizeName('\u0958'.repeat(LONGEST))).toEqual({ error: 'too_long' })
  })

  const SCRIPTS: readonly (readonly [first: number, last: number])[] = [
    [0x61, 0x7a],
    [0xc0, 0xd6],
    [0x3b1, 0x3c9],
    [0x430, 0x44f],
    [0x561, 0x586],
    [0x5d0, 0x5ea],
    [0x627, 0x64a],
    [0x905, 0x939],
    [0xe01, 0xe2e],
    [0x10d0, 0x10f0],
    [0x3041, 0x3096],
    [0x4e00, 0x9fa5],
    [0xac00, 0xd7a3],
    [0x1e900, 0x1e943],
  ]
  const word = fc
    .constantFrom(...SCRIPTS)
    .chain(([first, last]) =>
      fc.array(fc.integer({ min: first, max: last }), { minLength: 1, maxLength: 12 }),
    )
    .map((codes) => String.fromCodePoint(...codes))
  const name = fc
    .array(word, { minLength: 1, maxLength: 5 })
    .chain((words) => fc.constantFrom(' ', '-', "'", '\u200c').map((by) => words.join(by)))

  it('accepts every name of letters, in every script', () => {
    fc.assert(
      fc.property(name, (text) => {
        expect(normalizeName(text)).toEqual({ value: text.normalize('NFC') })
      }),
    )
  })

  it('gives the same result for the composed and the decomposed form', () => {
    fc.assert(
      fc.property(name, (text) => {
        expect(normalizeName(text.normalize('NFD'))).toEqual(normalizeName(text))
      }),
    )
  })

  it('rejects any text or gives one that it accepts unchanged, without control characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
        const result = normalizeName(text)
        if ('error' in result) return
        expect(normalizeName(result.value)).toEqual(result)
        expect(result.value).toMatch(/^[^\p{Cc}\u202a-\u202e\u2066-\u2069<>@:]+$/u)
      }),
      { numRuns: 1_000 },
    )
  })
})

describe('T7 special requests', () => {
  it('keeps lines and shortens empty space', () => {
    const text = ' Late  arrival\r\n\r\n\n\nQuiet room \u2028 no smoking 🙏 '
    const value = 'Late arrival\n\nQuiet room\nno smoking 🙏'
    expect(normalizeRequests(text)).toEqual({ value })
  })

  it('takes up to 1,000 characters', () => {
    expect(normalizeRequests('😀'.repeat(1_000))).toHaveProperty('value')
    expect(normalizeRequests('a'.repeat(1_001))).toEqual({ error: 'too_long' })
  })

  it('rejects control characters and overrides of direction', () => {
    expect(normalizeRequests('a\u0000b')).toEqual({ error: 'characters' })
    expect(normalizeRequests('a\u202eb')).toEqual({ error: 'direction_control' })
    expect(normalizeRequests('a\udc00b')).toEqual({ error: 'characters' })
  })
})

describe('T7 digits', () => {
  it('reads the decimal digits of every script', () => {
    expect(asciiDigits('٠١٢٣٤٥٦٧٨٩ ۰۱۲۳۴۵۶۷۸۹ ०९ 𝟘𝟡𝟎 12:30')).toBe(
      '0123456789 0123456789 09 090 12:30',
    )
  })
})
