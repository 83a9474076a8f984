import { expect } from 'vitest'
import type { SearchMap } from '../../src/map/map-schema.ts'
import type { SearchPage } from '../../src/search/search-schema.ts'
import { searchMap } from '../harness/map-client.ts'
import type { RandomSearch } from './random-search.ts'

type Card = SearchPage['items'][number]

/** The pin of a card says whether the stay can be booked, and has the same price. */
export async function expectPins(
  url: string,
  asked: RandomSearch,
  cards: readonly Card[],
): Promise<{ readonly bookable: number; readonly unbookable: number }> {
  if (cards.length === 0) return { bookable: 0, unbookable: 0 }
  const { dates, occupancy, currency, filters } = asked
  const geo = { mode: 'bounding-box', boundingBox: boxAround(cards) }
  const { text } = await searchMap(url, { geo, dates, occupancy, currency, filters })
  const { pins } = JSON.parse(text) as SearchMap
  const byId = new Map(pins.map((pin) => [pin.propertyId, pin]))
  expect(cards.filter(({ propertyId }) => !byId.has(propertyId))).toEqual([])
  for (const { propertyId, availability, rateSnapshot } of cards) {
    const { availability: ofPin, shownPrice } = byId.get(propertyId) ?? {}
    expect([propertyId, ofPin]).toEqual([propertyId, availability])
    expect(shownPrice?.nightlyMinor).toBe(rateSnapshot?.cheapestNightlyMinor)
  }
  const bookable = cards.filter(({ availability }) => availability?.bookable).length
  return { bookable, unbookable: cards.length - bookable }
}

function boxAround(cards: readonly Card[]) {
  const lats = cards.map(({ geo }) => geo.lat)
  const lngs = cards.map(({ geo }) => geo.lng)
  return {
    swLat: Math.min(...lats),
    swLng: Math.min(...lngs),
    neLat: Math.max(...lats),
    neLng: Math.max(...lngs),
  }
}
