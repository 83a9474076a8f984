import { describe, expect, it } from 'vitest'
import { ageText, agingOf } from './aged-form.ts'

const FACTS = { total: 1, items: 1, priced: 1, pricesStaleFromMs: 60_000 }

describe('agingOf', () => {
  it.each([
    ['hit', 0, 59_999, null],
    ['hit', 60_000, 60_000, { prices: true, listings: false }],
    ['stale', 5_000, 5_000, null],
    ['stale', 70_000, 70_000, { prices: true, listings: true }],
  ] as const)('%s of age %i at %i: %j', (state, ageMs, nowMs, aging) => {
    expect(agingOf({ state, ageMs }, FACTS, nowMs)).toEqual(aging)
  })

  it('finds nothing stale about prices that are not there', () => {
    const facts = { ...FACTS, pricesStaleFromMs: null }
    expect(agingOf({ state: 'hit', ageMs: 90_000 }, facts, 90_000)).toBeNull()
  })
})

describe('ageText', () => {
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

  it('changes what is told of age, and no word of a hotel', () => {
    const aged = JSON.parse(ageText(JSON.stringify(page), { prices: true, listings: true }))
    expect(aged).toEqual({
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

  it('leaves prices alone when only listings are old', () => {
    const aged = JSON.parse(ageText(JSON.stringify(page), { prices: false, listings: true }))
    expect(aged.items).toEqual(page.items)
    expect(aged.sections.prices.status).toBe('fresh')
  })
})
