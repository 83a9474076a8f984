import { newId } from '@melmastoon/domain'
import { describe, expect, it } from 'vitest'
import { formText, hasPin, type Target } from './map-form.ts'
import { writeMap } from './write-map.ts'

const ids = Array.from({ length: 3 }, () => ({ propertyId: newId('ppt'), tenantId: newId('tnt') }))
const items = ids.map((each, at) => ({ ...each, geo: { lat: 34 + at, lng: -180 } }))
const none = new Map<never, never>()
const peeks = { bytesByTenant: none, byTenant: none, version: '' }
const brands = { ...peeks, status: 'fresh', ageMs: 0 } as const
const map = writeMap({ total: 3, items }, brands)
const plain = JSON.parse(map) as Record<string, unknown> & { pins: object[] }
const [, second] = ids
const propertyId = second?.propertyId ?? newId('ppt')
const FRESH = { status: 'fresh', ageMs: 2_000 } as const

const formed = (target: Target | undefined, isStale = false): unknown =>
  JSON.parse(formText(map, { isStale, target }))

describe('the form of a map', () => {
  it('with a price differs in that pin and its section alone', () => {
    const price = { cheapestNightlyMinor: 125_000, currency: 'AFN' } as const
    expect(formed({ propertyId, section: FRESH, price })).toEqual({
      ...plain,
      sections: { ...(plain['sections'] as object), prices: FRESH },
      pins: plain.pins.map((pin, at) => (at === 1 ? { ...pin, ...price } : pin)),
    })
  })

  it('without the price it should have is degraded', () => {
    const section = { status: 'missing', ageMs: 0 } as const
    expect(formed({ propertyId, section, price: undefined })).toEqual({
      ...plain,
      sections: { ...(plain['sections'] as object), prices: section },
      degraded: true,
    })
  })

  it('that targets a hotel it does not show says so and changes nothing else', () => {
    const target = { propertyId: newId('ppt'), section: undefined, price: undefined }
    expect(formed(target)).toEqual({ ...plain, targetMissing: true })
    expect(hasPin(Buffer.from(map), target.propertyId)).toBe(false)
    expect(hasPin(Buffer.from(map), propertyId)).toBe(true)
  })

  it('that is old says so', () => {
    expect(formed(undefined, true)).toMatchObject({
      sections: { listings: { status: 'stale' }, brands: { status: 'fresh' } },
      degraded: true,
    })
  })

  it('of an empty map has nowhere to put a price', () => {
    const empty = writeMap({ total: 0, items: [] }, brands)
    const price = { cheapestNightlyMinor: 1, currency: 'AFN' } as const
    const text = formText(empty, { isStale: false, target: { propertyId, section: FRESH, price } })
    expect(JSON.parse(text)).toMatchObject({ pins: [] })
  })
})
