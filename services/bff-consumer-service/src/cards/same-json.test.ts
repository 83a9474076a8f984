import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isSameJson } from './same-json.ts'

const copyOf = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

it('agrees with a slower judge', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
      const [a, b] = [copyOf(one), copyOf(other)]
      expect(isSameJson(a, b)).toBe(isDeepStrictEqual(a, b))
      expect(isSameJson(a, copyOf(a))).toBe(true)
    }),
  )
})

it.each([
  [{ a: 1 }, { a: 1, b: 2 }],
  [{ a: 1, b: 2 }, { a: 1 }],
  [{ a: 1 }, { b: 1 }],
  [[], {}],
  [[1], [1, 2]],
  [
    [2, 1],
    [1, 2],
  ],
  [null, {}],
  ['1', 1],
])('tells %j from %j', (one, other) => {
  expect(isSameJson(one, other)).toBe(false)
})

it('does not mind the order of members', () => {
  expect(isSameJson({ a: 1, b: { c: 2, d: 3 } }, { b: { d: 3, c: 2 }, a: 1 })).toBe(true)
})
