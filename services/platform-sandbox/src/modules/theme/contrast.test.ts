import fc from 'fast-check'
import { expect, it } from 'vitest'
import { contrastRatio } from './contrast.ts'

const color = fc
  .integer({ min: 0, max: 0xffffff })
  .map((value) => `#${value.toString(16).padStart(6, '0')}`)

it.each([
  ['#000000', '#ffffff', 21],
  ['#777777', '#ffffff', 4.48],
  ['#767676', '#ffffff', 4.54],
  ['#0000ff', '#ffffff', 8.59],
  ['#ff0000', '#ffffff', 4],
  ['#00ff00', '#ffffff', 1.37],
  ['#0a0a0a', '#000000', 1.06],
])('%s on %s is %f to 1', (one, other, ratio) => {
  expect(contrastRatio(one, other)).toBeCloseTo(ratio, 2)
})

it('is symmetric, and between 1 and 21', () => {
  fc.assert(
    fc.property(color, color, (one, other) => {
      const ratio = contrastRatio(one, other)
      expect(ratio).toBe(contrastRatio(other, one))
      expect(ratio).toBeGreaterThanOrEqual(1)
      expect(ratio).toBeLessThanOrEqual(21)
    }),
  )
})
