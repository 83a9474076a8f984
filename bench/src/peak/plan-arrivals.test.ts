import { describe, expect, it } from 'vitest'
import { planArrivals } from './plan-arrivals.ts'
import { REQUEST_KINDS } from './request-kinds.ts'

describe('planArrivals', () => {
  it('has every kind at its rate, spread over the second', () => {
    const [often, rare] = [{ perSecond: 6 }, { perSecond: 2 }]
    const plan = planArrivals([often, rare])
    expect(plan.filter((kind) => kind === rare)).toHaveLength(2)
    expect(plan).toHaveLength(8)
    const [first = 0, second = 0] = plan.flatMap((kind, at) => (kind === rare ? [at] : []))
    expect(second - first).toBe(4)
  })

  it('adds up to the documented peak', () => {
    expect(planArrivals(REQUEST_KINDS)).toHaveLength(300)
  })
})
