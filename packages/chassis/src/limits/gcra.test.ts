import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { gcraStep } from './gcra.ts'
import type { LimitPolicy } from './limit-policy.ts'

const policies = fc.record({
  limit: fc.integer({ min: 1, max: 500 }),
  periodSeconds: fc.integer({ min: 1, max: 600 }),
  burst: fc.integer({ min: 1, max: 100 }),
})

describe('gcraStep', () => {
  it('SEC-R01 never allows more than burst + rate × window, in any window', () => {
    const arrivals = fc.array(fc.integer({ min: 0, max: 5_000 }), { minLength: 1, maxLength: 200 })
    fc.assert(
      fc.property(policies, arrivals, (shape, gapsMs) => {
        const policy: LimitPolicy = { name: 'x', ...shape }
        const acceptedAtMs = accepted(policy, gapsMs)
        const ratePerMs = policy.limit / (policy.periodSeconds * 1000)
        return acceptedAtMs.every((startMs, first) =>
          acceptedAtMs
            .slice(first)
            .every((endMs, i) => i + 1 <= shape.burst + ratePerMs * (endMs - startMs) + 1e-6),
        )
      }),
    )
  })

  it('accepts again exactly at the time that it reports', () => {
    fc.assert(
      fc.property(policies, (shape) => {
        const policy: LimitPolicy = { name: 'x', ...shape }
        const full = gcraStep(policy, { tatMs: 0, nowMs: 1_000 }, shape.burst)
        const rejected = gcraStep(policy, { tatMs: full.tatMs, nowMs: 1_000 }, 1)
        expect(rejected.granted).toBe(0)
        const laterMs = 1_000 + rejected.retryAfterMs
        expect(gcraStep(policy, { tatMs: full.tatMs, nowMs: laterMs }, 1).granted).toBe(1)
        const tooEarlyMs = laterMs - 0.01 * rejected.retryAfterMs
        expect(gcraStep(policy, { tatMs: full.tatMs, nowMs: tooEarlyMs }, 1).granted).toBe(0)
      }),
    )
  })

  it('grants the remaining part of a token batch', () => {
    const policy = { name: 'x', limit: 10, periodSeconds: 1 }
    const first = gcraStep(policy, { tatMs: 0, nowMs: 0 }, 8)
    expect(first).toMatchObject({ granted: 8, remaining: 2 })
    expect(gcraStep(policy, { tatMs: first.tatMs, nowMs: 0 }, 8)).toMatchObject({ granted: 2 })
  })
})

function accepted(policy: LimitPolicy, gapsMs: readonly number[]): number[] {
  let tatMs = 0
  let nowMs = 0
  const acceptedAtMs: number[] = []
  for (const gapMs of gapsMs) {
    nowMs += gapMs
    const step = gcraStep(policy, { tatMs, nowMs }, 1)
    tatMs = step.tatMs
    if (step.granted === 1) acceptedAtMs.push(nowMs)
  }
  return acceptedAtMs
}
