import { parseIsoDate } from '@melmastoon/domain'
import { describe, expect, it } from 'vitest'
import { generateWorld } from '../../world/generate-world.ts'
import { compileRules } from '../pricing/engine/compile-rules.ts'
import { plansOf } from '../pricing/seed/plans-of.ts'
import { ruleSetOf } from '../pricing/seed/rule-set-of.ts'
import { policiesOf } from './policies.ts'

const anchorDate = parseIsoDate('2026-03-19')
const { properties } = generateWorld({ seed: 'policies', anchorDate, properties: 120, stayDays: 1 })
const ORDER = ['none', 'partial', 'free']

describe('the policies of a hotel', () => {
  it('have the cancellation terms of its most flexible public plan', () => {
    for (const property of properties) {
      const { text, ...policy } = policiesOf(property).cancellation
      const terms = plansOf(property, false).map((plan) => plan.terms.cancellation)
      expect(terms).toContainEqual(policy)
      const ranks = terms.map(({ kind }) => ORDER.indexOf(kind))
      expect(ORDER.indexOf(policy.kind)).toBe(Math.max(...ranks))
      const days = policy.freeUntilHours / 24
      expect(text.default).toContain(days > 0 ? `until ${days} days before` : 'Cannot be cancelled')
    }
  })

  it('have the ages that change the price, and those that are not accepted', () => {
    const seen = new Set<boolean>()
    for (const property of properties) {
      const rules = compileRules(ruleSetOf(property, anchorDate))
      const { children } = policiesOf(property).details ?? {}
      seen.add(children?.allowed ?? true)
      expect(rules.minGuestAge).toBe(children?.minAge ?? 0)
      if (children?.freeUntilAge === undefined) continue
      expect(rules.extraChild(children.freeUntilAge)).toBe(0n)
      expect(rules.extraChild(children.freeUntilAge + 1)).toBeGreaterThan(0n)
    }
    expect(seen).toEqual(new Set([true, false]))
  })
})
