import { FRESH_SECTION } from '@melmastoon/bff/sections'
import { newId } from '@melmastoon/domain'
import { describe, expect, it } from 'vitest'
import { writeMap } from './compose-map.ts'
import { deriveMap, hasPin, type TargetedPin } from './derive-map.ts'

const ids = Array.from({ length: 3 }, () => ({ propertyId: newId('ppt'), tenantId: newId('tnt') }))
const items = ids.map((each, at) => ({ ...each, geo: { lat: 34 + at, lng: -180 } }))
const brands = { byTenant: new Map<never, never>(), locale: 'en' as const }
const sections = { listings: FRESH_SECTION, brands: FRESH_SECTION }
const map = writeMap({ total: 3, items, capturedAtMs: 0 }, sections, brands)
const plain = JSON.parse(map) as Record<string, unknown> & { pins: object[] }
const [, second] = ids
const propertyId = second?.propertyId ?? newId('ppt')
const FRESH = { status: 'fresh', ageMs: 2_000 } as const

const derived = (target: TargetedPin | undefined, isStale = false): unknown =>
  JSON.parse(deriveMap(map, { isStale, target }))

describe('a derived map', () => {
  it('with a price differs only in that pin and its section', () => {
    const members = { cheapestNightlyMinor: 125_000, currency: 'AFN', name: '"$&" }]' }
    const price = JSON.stringify(members).slice(1, -1)
    expect(derived({ propertyId, section: FRESH, price, isBookable: true })).toEqual({
      ...plain,
      sections: { ...(plain['sections'] as object), prices: FRESH },
      pins: plain.pins.map((pin, at) => (at === 1 ? { ...pin, ...members } : pin)),
    })
  })

  it('without the price it should have is degraded', () => {
    const section = { status: 'missing', ageMs: 0 } as const
    const target = { propertyId, section, price: undefined, isBookable: false }
    expect(derived(target)).toEqual({
      ...plain,
      sections: { ...(plain['sections'] as object), prices: section },
      degraded: true,
    })
  })

  it('that targets a hotel without a pin says so and changes nothing else', () => {
    const none = { section: undefined, price: undefined, isBookable: false }
    const target = { propertyId: newId('ppt'), ...none }
    expect(derived(target)).toEqual({ ...plain, targetMissing: true })
    expect(hasPin(Buffer.from(map), target.propertyId)).toBe(false)
    expect(hasPin(Buffer.from(map), propertyId)).toBe(true)
  })

  it('that is stale says so', () => {
    expect(derived(undefined, true)).toMatchObject({
      sections: { listings: { status: 'stale' }, brands: { status: 'fresh' } },
      degraded: true,
    })
  })

  it('C20 marks the prices of all pins as stale, and nothing in their names', () => {
    const names = ['"isStale":false', '},"degraded":', ',"truncated":']
    const priced = items.map((each, at) => ({
      ...each,
      name: { default: names[at] ?? '' },
      cheapestNightly: { amountMicro: '12500000', currency: 'USD' as const },
    }))
    const fresh = writeMap({ total: 3, items: priced, capturedAtMs: 0 }, sections, brands)
    const before = JSON.parse(fresh) as { pinPrices: object; pins: object[] }
    expect(before.pins[0]).toMatchObject({
      availability: { bookable: true },
      name: names[0],
      shownPrice: { nightlyMinor: 1_250, currency: 'USD' },
    })
    const stale = deriveMap(fresh, { isStale: false, arePricesStale: true, target: undefined })
    expect(JSON.parse(stale)).toEqual({
      ...before,
      pinPrices: { ...before.pinPrices, isStale: true },
    })
  })

  it.each([
    ['still bookable', { bookable: true }, 0],
    ['sold out since', { bookable: false, reason: 'sold_out' }, 1],
    ['sold out since, as the last pin', { bookable: false, reason: 'sold_out' }, 2],
  ])('C20 replaces the availability of a pin that is %s', (_what, availability, at) => {
    const cheapestNightly = { amountMicro: '12500000', currency: 'USD' as const }
    const priced = items.map((each) => ({
      ...each,
      name: { default: '}{"propertyId":,"shownPrice":{}' },
      cheapestNightly,
    }))
    const base = writeMap({ total: 3, items: priced, capturedAtMs: 0 }, sections, brands)
    const before = JSON.parse(base) as typeof plain
    const price = JSON.stringify({ availability }).slice(1, -1)
    const isBookable = availability.bookable
    const targeted = ids[at]?.propertyId ?? newId('ppt')
    const target = { propertyId: targeted, section: FRESH, price, isBookable }
    const text = deriveMap(base, { isStale: false, target })
    expect(text.match(/"availability"/g)).toHaveLength(3)
    const expected = before.pins.map((pin, index) => {
      if (index !== at) return pin
      const { shownPrice, ...rest } = pin as { shownPrice?: object }
      return { ...rest, availability, ...(isBookable && { shownPrice }) }
    })
    expect((JSON.parse(text) as typeof plain).pins).toEqual(expected)
  })

  it('without pins has no price', () => {
    const empty = writeMap({ total: 0, items: [], capturedAtMs: 0 }, sections, brands)
    const price = '"cheapestNightlyMinor":1'
    const target = { propertyId, section: FRESH, price, isBookable: true }
    const text = deriveMap(empty, { isStale: false, target })
    expect(JSON.parse(text)).toMatchObject({ pins: [] })
  })
})
