import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fingerprint } from './fingerprint.ts'

describe('fingerprint', () => {
  it('is 43 characters of base64url and does not change between releases', () => {
    const made = fingerprint({ amountMinor: 100, note: 'سلام' }, { 'x-currency': 'AFN' })
    expect(made.version).toBe(2)
    expect(made.value).toBe(
      fingerprint(
        { note: 'سلام', amountMinor: 1e2 },
        made.version === 2 ? { 'x-currency': 'AFN' } : {},
      ).value,
    )
    expect(made.value).toMatch(/^[\w-]{43}$/)
  })

  it('changes with any field and any significant header', () => {
    const values = [
      fingerprint({ a: 1 }),
      fingerprint({ a: 2 }),
      fingerprint({ a: '1' }),
      fingerprint({ a: 1, b: null }),
      fingerprint({ a: 1 }, { 'x-currency': 'AFN' }),
      fingerprint({ a: 1 }, { 'x-currency': 'USD' }),
      fingerprint({ a: 1 }, { 'accept-language': 'USD' }),
      fingerprint(undefined),
      fingerprint(null),
    ].map((made) => made.value)
    expect(new Set(values).size).toBe(values.length)
  })

  it('cannot be confused by moving text between body and headers', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (left, right) => {
        fc.pre(left !== right)
        expect(fingerprint(left, { h: right }).value).not.toBe(
          fingerprint(right, { h: left }).value,
        )
      }),
    )
  })

  it('computes older versions and returns null for a removed one', () => {
    const versions = { current: 2, algorithms: { 1: () => 'old', 2: () => 'new' } }
    const made = fingerprint({}, {}, versions)
    expect([made.version, made.value, made.valueAt(1), made.valueAt(9)]).toEqual([
      2,
      'new',
      'old',
      null,
    ])
  })

  it('rejects a current version without an algorithm', () => {
    expect(() => fingerprint({}, {}, { current: 3, algorithms: {} })).toThrow(TypeError)
  })
})
