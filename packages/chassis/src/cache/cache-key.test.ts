import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createKeyBuilder, entryId } from './cache-key.ts'
import type { DimensionValue } from './cache-policy.ts'

const dimensions = [
  'tenant',
  'locale',
  'currency',
  'role',
  'checkIn',
  'checkOut',
  'occupancy',
  'property',
]
const keys = createKeyBuilder('search', dimensions)
const value: fc.Arbitrary<DimensionValue> = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom('', '|', '|s1:a', '1', 'true', '0', '2026-03-21'),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
)
const dims = fc
  .tuple(...dimensions.map(() => value))
  .map((values) => Object.fromEntries(dimensions.map((name, at) => [name, values[at] ?? ''])))
const stamp = fc.constantFrom('epoch|tenant:a@0', 'epoch|tenant:a@1', 'other|tenant:a@0', '')

describe('a cache key', () => {
  it('SF-09 differs whenever one input differs, and only then', () => {
    const input = fc.record({ dims, stamp, at: fc.nat(dimensions.length), other: value })
    fc.assert(
      fc.property(input, ({ dims, stamp, at, other }) => {
        const name = dimensions[at]
        const changed = name === undefined ? dims : { ...dims, [name]: other }
        const otherStamp = name === undefined ? `${stamp}x` : stamp
        const same = name !== undefined && Object.is(dims[name], other)
        fc.pre(!(other === 0 && name !== undefined && dims[name] === 0))
        expect(keys.build(changed, otherStamp) === keys.build(dims, stamp)).toBe(same)
      }),
      { numRuns: 2_000 },
    )
  })

  it('SF-09 differs for every pair of different inputs', () => {
    fc.assert(
      fc.property(dims, dims, stamp, (one, two, version) => {
        const same = dimensions.every((name) => one[name] === two[name])
        expect(keys.build(one, version) === keys.build(two, version)).toBe(same)
      }),
      { numRuns: 2_000 },
    )
  })

  it('SF-09 control: joining the parts without their lengths confuses inputs', () => {
    const joined = (parts: readonly string[]) => parts.join('|')
    expect(joined(['a|b', 'c'])).toBe(joined(['a', 'b|c']))
    const two = createKeyBuilder('search', ['one', 'two'])
    expect(two.build({ one: 'a|b', two: 'c' }, '')).not.toBe(
      two.build({ one: 'a', two: 'b|c' }, ''),
    )
  })

  it('cannot be built with a dimension missing, unknown or without a definite value', () => {
    const pair = createKeyBuilder('search', ['tenant', 'locale'])
    const broken: Record<string, unknown>[] = [
      { tenant: 'a' },
      { tenant: 'a', locale: undefined },
      { tenant: 'a', locale: null },
      { tenant: 'a', locale: Number.NaN },
      { tenant: 'a', locale: Number.POSITIVE_INFINITY },
      { tenant: 'a', locale: { toString: () => 'en' } },
      { tenant: 'a', locale: 'en', role: 'guest' },
    ]
    for (const dims of broken) {
      expect(() => pair.build(dims as Record<string, string>, '')).toThrow(TypeError)
    }
    expect(() => createKeyBuilder('search', ['tenant', 'tenant'])).toThrow(TypeError)
  })

  it('has a bounded length for any input', () => {
    const query = createKeyBuilder('search', ['query'])
    const long = query.build({ query: 'x'.repeat(100_000) }, '')
    const other = query.build({ query: `${'x'.repeat(99_999)}y` }, '')
    expect(long.length).toBeLessThan(100)
    expect(long).not.toBe(other)
    expect(entryId(long)).toHaveLength(43)
    expect(entryId(long)).not.toBe(entryId(other))
  })
})
