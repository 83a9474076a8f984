import { describe, expect, it } from 'vitest'
import { isSame, median, pairedRatio, percentile, slope, spread } from './statistics.ts'

describe('statistics', () => {
  it('uses the median, not the mean', () => {
    expect(median([100, 1, 2])).toBe(2)
    expect(median([4, 1, 2, 3])).toBe(2.5)
    expect(percentile([0, 10], 0.99)).toBeCloseTo(9.9)
  })

  it('compares within rounds, so a slow round does not count', () => {
    const us = [{ cpu: 2 }, { cpu: 20 }, { cpu: 2 }]
    const floor = [{ cpu: 1 }, { cpu: 10 }, { cpu: 1 }]
    expect(pairedRatio('cpu', us, floor)).toBe(2)
    expect(pairedRatio('cpu', us, [{ cpu: 1 }])).toBe(2)
  })

  it('treats differences below 15 % as insignificant', () => {
    expect([1.14, 0.88, 1.16, 0.86].map(isSame)).toEqual([true, true, false, false])
  })

  it('finds the slope for any step size', () => {
    expect(slope([1, 3, 5])).toBe(2)
    expect(slope([7, 7, 7])).toBe(0)
    expect(slope([0, 9, 1, 8, 2])).toBeCloseTo(0.3)
  })

  it('measures spread by the quartiles', () => {
    expect(spread([10, 10, 10])).toBe(0)
    expect(spread([5, 10, 15])).toBe(0.25)
  })
})
