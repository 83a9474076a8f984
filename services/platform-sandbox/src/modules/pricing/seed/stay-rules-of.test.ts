import { parseIsoDate } from '@melmastoon/domain'
import { describe, expect, it } from 'vitest'
import { generateWorld } from '../../../world/generate-world.ts'
import { seedPlans } from '../seed-pricing.ts'
import { ANY_STAY, stayRulesOf } from './stay-rules-of.ts'

const anchorDate = parseIsoDate('2026-03-19')
const world = generateWorld({ seed: 'rules', anchorDate, properties: 400, stayDays: 1 })

describe('the rules of stays in the demo world', () => {
  it('restrict a few hotels, always the same', () => {
    const all = world.properties.map((property) => stayRulesOf(property, anchorDate))
    expect(world.properties.map((property) => stayRulesOf(property, anchorDate))).toEqual(all)
    const share = (count: number) => count / all.length
    const long = all.filter(({ minNights }) => minNights === 2)
    const closed = all.filter(({ closedToArrival }) => closedToArrival.length > 0)
    for (const some of [long, closed]) {
      expect(share(some.length)).toBeGreaterThan(0.02)
      expect(share(some.length)).toBeLessThan(0.12)
    }
    for (const { closedToArrival } of closed) {
      expect(closedToArrival.length).toBeLessThanOrEqual(105)
      expect(new Set(closedToArrival.map((date) => new Date(date).getUTCDay())).size).toBe(1)
    }
  })

  it('apply to every plan, and not to the detailed hotels', () => {
    for (const property of world.properties) {
      const { minNights, closedToArrival } = stayRulesOf(property, anchorDate)
      for (const { code, terms } of seedPlans(property, false, anchorDate)) {
        expect(terms.restrictions).toMatchObject({
          minNights: code === 'WEEK' ? 7 : minNights,
          closedToArrival,
        })
      }
      const [plan] = seedPlans(property, true, anchorDate)
      expect(plan?.terms.restrictions).toMatchObject(ANY_STAY)
    }
  })
})
