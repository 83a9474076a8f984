import { type IsoDate, newId, type PropertyId, toIsoDateTime } from '@melmastoon/domain'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { GuestSessionData, RecentlyViewedEntry, SearchHistoryEntry } from './guest-session.ts'
import { withSearch, withViewed } from './session-lists.ts'

const AT = toIsoDateTime(new Date('2026-03-21T09:00:00.000Z'))

const EMPTY: GuestSessionData = {
  createdAt: AT,
  lastSeenAt: AT,
  localePreference: 'en',
  currencyPreference: 'AFN',
  cookieFingerprintHash: `sha256:${'0'.repeat(64)}`,
  recentlyViewed: [],
  wishlistRefs: [],
  searchHistory: [],
  flags: { consentTelemetry: true, consentMarketing: false },
}

const view = (propertyId: PropertyId): RecentlyViewedEntry => ({
  propertyId,
  tenantId: newId('tnt'),
  viewedAt: AT,
  source: 'search-list',
})

const search = (): SearchHistoryEntry => ({
  searchSessionId: newId('srs'),
  queryHash: `sha256:${'0'.repeat(64)}`,
  geo: { mode: 'city', city: 'kabul' },
  dates: { checkIn: '2026-04-01' as IsoDate, checkOut: '2026-04-02' as IsoDate },
  occupancy: { adults: 1, children: 0, rooms: 1 },
  executedAt: AT,
})

const hotels = Array.from({ length: 60 }, () => newId('ppt'))
const viewedOf = ({ recentlyViewed }: GuestSessionData) =>
  recentlyViewed.map(({ propertyId }) => propertyId)

describe('C1 recently viewed', () => {
  it('keeps the last fifty, oldest first', () => {
    const seen = hotels.map(view).reduce(withViewed, EMPTY)
    expect(viewedOf(seen)).toEqual(hotels.slice(-50))
  })

  it('has a hotel once, where it was seen last', () => {
    const [a, b, c] = hotels.slice(0, 3).map(view)
    if (a === undefined || b === undefined || c === undefined) throw new TypeError('no hotels')
    const again = { ...a, source: 'wishlist' as const }
    const seen = [a, b, c, again].reduce(withViewed, EMPTY)
    expect(seen.recentlyViewed).toEqual([b, c, again])
  })

  it('is bounded and without repetition whatever is looked at', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...hotels), { maxLength: 200 }), (looked) => {
        const seen = viewedOf(looked.map(view).reduce(withViewed, EMPTY))
        const byLastLook = [...new Set(looked.toReversed())].slice(0, 50).toReversed()
        expect(seen).toEqual(byLastLook)
      }),
    )
  })
})

describe('C1 search history', () => {
  it('keeps the last twenty-five, oldest first', () => {
    const searches = Array.from({ length: 30 }, search)
    expect(searches.reduce(withSearch, EMPTY).searchHistory).toEqual(searches.slice(-25))
  })

  it('leaves what it was given as it was', () => {
    const before = withSearch(EMPTY, search())
    const copy = structuredClone(before)
    withViewed(withSearch(before, search()), view(newId('ppt')))
    expect(before).toEqual(copy)
  })
})
