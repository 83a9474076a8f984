import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isSameJson } from './same-json.ts'

const copyOf = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

it('agrees with the texts of the two', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
      const [a, b] = [copyOf(one), copyOf(other)]
      expect(isSameJson(a, b)).toBe(JSON.stringify(a) === JSON.stringify(b))
      expect(isSameJson(a, copyOf(a))).toBe(true)
    }),
  )
})

it.each([
  [
    { a: 1, b: 2 },
    { b: 2, a: 1 },
  ],
  [{ a: 1 }, { a: 1, b: 2 }],
  [[], {}],
  [[1], [1, 2]],
  [null, {}],
  ['1', 1],
])('tells %j from %j', (one, other) => {
  expect(isSameJson(one, other)).toBe(false)
})
