import { describe, expect, it } from 'vitest'
import { markSectionsStale, markStale } from './read-derived.ts'

describe('marking sections as stale', () => {
  const page = {
    sections: {
      listings: { status: 'fresh', ageMs: 0 },
      prices: { status: 'fresh', ageMs: 0 },
      brands: { status: 'fresh', ageMs: 0 },
    },
    degraded: false,
    items: [
      { name: 'say "isStale":false or "degraded":false', rate: { isStale: false } },
      { name: '"prices":{"status":"fresh"', rate: { isStale: true } },
    ],
  }

  it('changes statuses and prices, and no text of a hotel', () => {
    const marked = JSON.parse(markSectionsStale(JSON.stringify(page), ['listings', 'prices']))
    expect(marked).toEqual({
      sections: {
        listings: { status: 'stale', ageMs: 0 },
        prices: { status: 'stale', ageMs: 0 },
        brands: { status: 'fresh', ageMs: 0 },
      },
      degraded: true,
      items: [
        { ...page.items[0], rate: { isStale: true } },
        { ...page.items[1], rate: { isStale: true } },
      ],
    })
  })

  it('leaves prices unchanged when only listings are stale', () => {
    const marked = JSON.parse(markSectionsStale(JSON.stringify(page), ['listings']))
    expect(marked.items).toEqual(page.items)
    expect(marked.sections.prices.status).toBe('fresh')
  })

  it('has a name of its own for each set of sections', () => {
    const names = [['prices'], ['listings'], ['listings', 'prices']].map((s) => markStale(s).name)
    expect(new Set(names).size).toBe(3)
  })
})
