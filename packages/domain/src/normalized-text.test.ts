import { describe, expect, it } from 'vitest'
import { normalizeText, truncateText, validateTextLength } from './normalized-text.ts'

describe('normalized text', () => {
  it('is composed, trimmed and has single spaces', () => {
    expect(normalizeText('  Cafe\u0301 \t\n Kabul ')).toBe('Caf\u00e9 Kabul')
  })

  it.each([
    ['U+0958, which NFC decomposes', normalizeText('\u0958'.repeat(41)), 82],
    ['dotted capital I in lower case', 'İ'.repeat(41).toLowerCase(), 82],
  ])('can be longer than the input: %s', (_, text, codePoints) => {
    expect(Array.from(text)).toHaveLength(codePoints)
    expect(validateTextLength(text, 80, '/geo/city')).toMatchObject([
      { pointer: '/geo/city', code: 'maxLength' },
    ])
    expect(validateTextLength(text, codePoints, '/geo/city')).toEqual([])
  })

  it('is counted in code points, as JSON Schema does', () => {
    expect(validateTextLength('😀'.repeat(80), 80, '/note')).toEqual([])
    expect(validateTextLength('😀'.repeat(81), 80, '/note')).toHaveLength(1)
  })

  it('is truncated between code points', () => {
    expect(truncateText('😀'.repeat(3), 2)).toBe('😀😀')
    expect(truncateText('abc', 3)).toBe('abc')
  })
})
