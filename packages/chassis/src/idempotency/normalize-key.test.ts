import { isProblem } from '@melmastoon/domain'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chooseKey, normalizeKey } from './normalize-key.ts'

const KEY = 'abcdefgh-01234567'

const keys = fc
  .string({
    unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
    minLength: 16,
    maxLength: 255,
  })
  .filter((key) => !key.includes(',') && !key.startsWith('"'))

describe('normalizeKey', () => {
  it('reads the bare and the quoted form of any key as the same key', () => {
    fc.assert(
      fc.property(keys, (key) => {
        const quoted = `"${key.replaceAll(/["\\]/g, String.raw`\$&`)}"`
        expect(normalizeKey([key])).toBe(key)
        expect(normalizeKey([quoted])).toBe(key)
        expect(normalizeKey([`  ${quoted}\t`])).toBe(key)
      }),
    )
  })

  it('distinguishes an absent header from an empty one', () => {
    expect(normalizeKey(undefined)).toBeNull()
    expect(normalizeKey([])).toBeNull()
    expect(codeOf(() => normalizeKey(['']))).toBe('MELMASTOON.IDEMPOTENCY.KEY_INVALID')
  })

  it('accepts exactly 16 to 255 characters', () => {
    expect(normalizeKey(['k'.repeat(16)])).toHaveLength(16)
    expect(normalizeKey(['k'.repeat(255)])).toHaveLength(255)
    expect(normalizeKey([`"${'k'.repeat(255)}"`])).toHaveLength(255)
    expect(codeOf(() => normalizeKey(['k'.repeat(15)]))).toBe('MELMASTOON.IDEMPOTENCY.KEY_INVALID')
    expect(codeOf(() => normalizeKey([`"${'k'.repeat(15)}"`]))).toBe(
      'MELMASTOON.IDEMPOTENCY.KEY_INVALID',
    )
    expect(codeOf(() => normalizeKey(['k'.repeat(256)]))).toBe('MELMASTOON.IDEMPOTENCY.KEY_INVALID')
  })

  it.each([
    ['two lines', [KEY, KEY]],
    ['joined by a comma', [`${KEY}, ${KEY}`]],
    ['joined without a space', [`${KEY},${KEY}`]],
    ['joined quoted forms', [`"${KEY}","${KEY}"`]],
    ['a comma inside quotes', [`"${KEY},x"`]],
    ['a control character', [`${KEY}\u0001`]],
    ['DEL', [`${KEY}\u007f`]],
    ['a tab inside', [`abcdefgh\t01234567`]],
    ['a space inside', ['abcdefgh 01234567']],
    ['a space inside quotes', ['"abcdefgh 01234567"']],
    ['a letter beyond ASCII', [`${KEY}é`]],
    ['an open quote', [`"${KEY}`]],
    ['a dangling escape', [`"${KEY}\\"`]],
    ['an escape of another character', [`"${KEY}\\n"`]],
    ['a parameter after the string', [`"${KEY}";a=1`]],
    ['sixteen spaces', [' '.repeat(16)]],
  ])('rejects %s', (_name, lines) => {
    expect(codeOf(() => normalizeKey(lines))).toBe('MELMASTOON.IDEMPOTENCY.KEY_INVALID')
  })
})

describe('chooseKey', () => {
  it('accepts either header, and both when they contain the same key', () => {
    expect(chooseKey([KEY], undefined)).toBe(KEY)
    expect(chooseKey(undefined, [KEY])).toBe(KEY)
    expect(chooseKey([KEY], [`"${KEY}"`])).toBe(KEY)
  })

  it('rejects two different keys', () => {
    expect(codeOf(() => chooseKey([KEY], [`${KEY}x`]))).toBe('MELMASTOON.IDEMPOTENCY.KEY_INVALID')
  })

  it('reports a missing key when neither header is present', () => {
    expect(codeOf(() => chooseKey(undefined, undefined))).toBe('MELMASTOON.IDEMPOTENCY.KEY_MISSING')
  })
})

function codeOf(work: () => unknown): string | undefined {
  try {
    work()
    return undefined
  } catch (error) {
    return isProblem(error) ? error.code : String(error)
  }
}
