import fc from 'fast-check'
import { expect, it } from 'vitest'
import { selectFirst } from './select-first.ts'

it('equals sorting and slicing', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 20 })),
      fc.integer({ min: 1, max: 12 }),
      (values, limit) => {
        const isBefore = (a: number, b: number) => {
          const difference = (values[a] ?? 0) - (values[b] ?? 0)
          return difference < 0 || (difference === 0 && a < b)
        }
        const sorted = values.map((_, at) => at).sort((a, b) => (isBefore(a, b) ? -1 : 1))
        expect(selectFirst(values.length, limit, isBefore)).toEqual(sorted.slice(0, limit))
      },
    ),
  )
})
