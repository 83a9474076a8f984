import { isProblem } from '@melmastoon/domain'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalJson } from './canonical-json.ts'

describe('canonicalJson', () => {
  it('writes the example of RFC 8785 §3.2.2', () => {
    const text = String.raw`{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],
      "string":"\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/","literals":[null,true,false]}`
    const expected = String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`
    expect(canonicalJson(JSON.parse(text))).toBe(expected)
  })

  it('sorts members by UTF-16 code units (RFC 8785 §3.2.3)', () => {
    const keys = ['\u20ac', '\r', '\ufb33', '1', '\ud83d\ude00', '\u0080', '\u00f6']
    const value = Object.fromEntries(keys.map((key) => [key, 0]))
    const written = Object.keys(JSON.parse(canonicalJson(value)) as object)
    const sorted = ['1', '\r', '\u0080', '\u00f6', '\u20ac', '\ud83d\ude00', '\ufb33']
    expect(written).toEqual(sorted)
  })

  it('preserves any value and is a fixed point', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const canonical = canonicalJson(value)
        const plain: unknown = JSON.parse(JSON.stringify(value))
        expect(JSON.parse(canonical)).toEqual(plain)
        expect(canonicalJson(JSON.parse(canonical))).toBe(canonical)
      }),
    )
  })

  it('does not depend on the order of members and on whitespace', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const reversed = Object.fromEntries(Object.entries(value).reverse())
        const spaced: unknown = JSON.parse(JSON.stringify(reversed, null, 3))
        expect(canonicalJson(spaced)).toBe(canonicalJson(JSON.parse(JSON.stringify(value))))
      }),
    )
  })

  it('differs for different values', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (left, right) => {
        const equal = isSameJson(left, right)
        expect(canonicalJson(left) === canonicalJson(right)).toBe(equal)
      }),
    )
  })

  it.each([
    ['1.0', '1'],
    ['1e2', '100'],
    ['-0', '0'],
    ['0.10', '0.1'],
  ])('writes the number %s as %s', (text, expected) => {
    expect(canonicalJson(JSON.parse(text))).toBe(expected)
  })

  it.each([[Number.NaN], [Number.POSITIVE_INFINITY], [undefined], [1n], [() => 1], [[undefined]]])(
    'rejects %s, which has no JSON form',
    (value) => {
      expect(() => canonicalJson(value)).toThrow(TypeError)
    },
  )

  it('leaves out members without a value', () => {
    expect(canonicalJson({ a: undefined, b: 1, c: undefined, d: 2 })).toBe('{"b":1,"d":2}')
  })

  it('rejects a body nested beyond its limit as an error of the caller', () => {
    const nested = (depth: number): unknown => JSON.parse('['.repeat(depth) + ']'.repeat(depth))
    expect(canonicalJson(nested(128))).toHaveLength(256)
    const failure = catchError(() => canonicalJson(nested(129)))
    expect(isProblem(failure) && failure.code).toBe('MELMASTOON.GENERAL.MALFORMED_BODY')
  })
})

function isSameJson(left: unknown, right: unknown): boolean {
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((item, i) => isSameJson(item, right[i]))
  }
  if (isRecord(left) && isRecord(right)) {
    const keys = Object.keys(left)
    if (keys.length !== Object.keys(right).length) return false
    return keys.every((key) => Object.hasOwn(right, key) && isSameJson(left[key], right[key]))
  }
  return left === right
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function catchError(work: () => unknown): unknown {
  try {
    return work()
  } catch (error) {
    return error
  }
}
