import { addDays, parseIsoDate } from '@melmastoon/domain'
import { PropertyDetail } from '@melmastoon/upstream-contracts/property'
import { Value } from 'typebox/value'
import { describe, expect, it } from 'vitest'
import { generateWorld } from './generate-world.ts'
import { planReviews, type Reviewed } from './plan-reviews.ts'

const TODAY = parseIsoDate('2026-03-19')
const world = generateWorld({ seed: 'melmastoon', anchorDate: TODAY, properties: 300 })
const rated = world.properties.flatMap((property): Reviewed[] => {
  const { guestRating } = property
  return guestRating === null ? [] : [{ ...property, guestRating }]
})
const reviews = rated.map((house) => ({ house, ...planReviews(house, TODAY) }))

describe('C22 reviews', () => {
  it('match the contract', () => {
    const { reviews: schema } = PropertyDetail.properties
    expect(reviews.filter(({ house: _house, ...each }) => !Value.Check(schema, each))).toEqual([])
  })

  it('have scores around the rating, and different ones', () => {
    for (const { house, scores } of reviews) {
      const mean = scores.reduce((sum, { value }) => sum + value, 0) / scores.length
      expect(Math.abs(mean - house.guestRating.value)).toBeLessThan(0.3)
    }
    const spread = reviews.map(({ scores }) => new Set(scores.map(({ value }) => value)).size)
    expect(spread.filter((values) => values === 1).length).toBeLessThan(reviews.length / 10)
  })

  it('praise facilities in a better class and the price in a simpler one', () => {
    const mean = (stars: number, aspect: string) => {
      const some = reviews.filter(({ house }) => house.starRating === stars)
      const values = some.map(({ house, scores }) => {
        const score = scores.find((each) => each.aspect === aspect)?.value ?? 0
        return score - house.guestRating.value
      })
      return values.reduce((sum, value) => sum + value, 0) / values.length
    }
    expect(mean(5, 'facilities')).toBeGreaterThan(mean(2, 'facilities') + 0.3)
    expect(mean(2, 'value')).toBeGreaterThan(mean(5, 'value') + 0.3)
  })

  it('were written after the opening and before this month, in three languages', () => {
    const items = reviews.flatMap(({ house, items: some }) => some.map((item) => ({ house, item })))
    const wrong = items.filter(({ house, item: { stayedIn } }) => {
      return stayedIn < house.openedOn.slice(0, 7) || stayedIn >= TODAY.slice(0, 7)
    })
    expect(wrong).toEqual([])
    expect(new Set(items.map(({ item }) => item.language)).size).toBe(3)
    const texts = new Set(items.map(({ item }) => item.text.default))
    expect(texts.size).toBeGreaterThan(150)
    expect(items.length / reviews.length).toBeGreaterThan(3)
  })

  it('do not change from one day to the next within a month, and add up later', () => {
    const [house] = rated
    if (house === undefined) throw new TypeError('no rated hotel')
    const now = planReviews(house, TODAY)
    expect(planReviews(house, addDays(TODAY, 1))).toEqual(now)
    const later = planReviews(house, addDays(TODAY, 200))
    const older = later.items.filter(({ stayedIn }) => stayedIn < '2026-03')
    expect(now.items).toEqual(expect.arrayContaining(older))
    expect(later.items).not.toEqual(now.items)
  })
})
