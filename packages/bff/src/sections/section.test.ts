import { describe, expect, it } from 'vitest'
import { FRESH_SECTION, isDegraded, MISSING_SECTION, sectionOf } from './section.ts'

describe('sections', () => {
  it('are not degraded while all of them are fresh', () => {
    expect(isDegraded({ listings: FRESH_SECTION, prices: FRESH_SECTION })).toBe(false)
  })

  it('are degraded as soon as one of them is stale or missing', () => {
    expect(isDegraded({ listings: FRESH_SECTION, prices: MISSING_SECTION })).toBe(true)
    expect(isDegraded({ listings: { status: 'stale', ageMs: 1 } })).toBe(true)
  })

  it('have an age in whole milliseconds', () => {
    expect(sectionOf({ status: 'stale', ageMs: 12.6 })).toEqual({ status: 'stale', ageMs: 13 })
  })
})
