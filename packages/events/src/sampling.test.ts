import { notePlaced, noteReserved } from '@melmastoon/testkit/example-events'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { defineEvent } from './definition.ts'
import { createRegistry } from './registry.ts'
import { isSampled } from './sampling.ts'

const SUBJECT = 'melmastoon.example.note.placed.v1'
const quarter = defineEvent({ ...notePlaced, sampleRate: 0.25 })
const registry = createRegistry([quarter, noteReserved])

describe('T14 sampling', () => {
  it('T14 is deterministic and grows with the rate', () => {
    const rate = fc.double({ min: 0, max: 1, noNaN: true })
    fc.assert(
      fc.property(fc.string(), rate, rate, (key, a, b) => {
        const [low, high] = a < b ? [a, b] : [b, a]
        expect(isSampled(low, SUBJECT, key)).toBe(isSampled(low, SUBJECT, key))
        expect(isSampled(low, SUBJECT, key) && !isSampled(high, SUBJECT, key)).toBe(false)
      }),
    )
  })

  it('T14 samples about the configured share', () => {
    const keys = Array.from({ length: 20_000 }, (_, index) => `session-${index}`)
    const sampled = keys.filter((key) => isSampled(0.25, SUBJECT, key)).length
    expect(sampled / keys.length).toBeGreaterThan(0.235)
    expect(sampled / keys.length).toBeLessThan(0.265)
  })

  it('T14 subjects are sampled independently', () => {
    const keys = Array.from({ length: 1000 }, (_, index) => `${index}`)
    const differing = keys.filter((key) => isSampled(0.5, 'a', key) !== isSampled(0.5, 'b', key))
    expect(differing.length).toBeGreaterThan(300)
  })

  it.each([0, -1, Number.NaN])('T14 the rate %d samples nothing', (rate) => {
    expect(isSampled(rate, SUBJECT, 'k')).toBe(false)
  })

  it('T14 flags change the rate of operational events', () => {
    expect(registry.sampleRate(SUBJECT, {})).toBe(0.25)
    expect(registry.sampleRate(SUBJECT, { [SUBJECT]: 1 })).toBe(1)
    expect(registry.sampled(SUBJECT, { [SUBJECT]: 0 }, 'k')).toBe(false)
    expect(registry.sampled(SUBJECT, { [SUBJECT]: 1 }, 'k')).toBe(true)
  })

  it.each([2, -0.1, Number.NaN, '1', null, {}])(
    'T14 invalid input %j leaves the default',
    (override) => {
      expect(registry.sampleRate(SUBJECT, { [SUBJECT]: override })).toBe(0.25)
    },
  )

  it('T14 no flag changes the rate of a legal record', () => {
    expect(registry.sampleRate(noteReserved.subject, { [noteReserved.subject]: 0 })).toBe(1)
  })
})
