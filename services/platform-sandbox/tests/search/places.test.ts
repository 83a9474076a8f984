import { addDays, parseIsoDate } from '@melmastoon/domain'
import { describe, expect, it } from 'vitest'
import { boxContains } from '../../src/modules/search/area/bounding-box.ts'
import { placesOfWorld } from '../../src/modules/search/places-of-world.ts'
import { runQuery, type SearchRequest } from '../../src/modules/search/run-query.ts'
import { countForStay } from '../../src/modules/search/suggest/count-for-stay.ts'
import { describePlace } from '../../src/modules/search/suggest/describe-place.ts'
import { popularPlaces, suggestNames } from '../../src/modules/search/suggest/suggest-names.ts'
import { CITIES, findCity } from '../../src/world/cities.ts'
import { generateWorld } from '../../src/world/generate-world.ts'
import { LANDMARKS, PLACES_WITH_OTHER_NAMES } from '../../src/world/landmarks.ts'
import { loadWorld } from './load-world.ts'

const anchorDate = parseIsoDate('2026-03-19')
const now = new Date(`${anchorDate}T09:00:00Z`)
const world = generateWorld({ seed: 'places', anchorDate, properties: 900 })
const index = loadWorld(world)
/** Without stays: a search finds every listed hotel. */
const free = loadWorld({ ...world, stays: [] })
const all = index.places.all.map(({ place }) => place)
const QUIET = { checkIn: addDays(anchorDate, 330), checkOut: addDays(anchorDate, 331) }
const BUSY = { checkIn: addDays(anchorDate, 3), checkOut: addDays(anchorDate, 5) }

function search(changes: Partial<SearchRequest>, hotels = index) {
  const request: SearchRequest = {
    geo: { mode: 'city', city: 'kabul' },
    stay: QUIET,
    occupancy: { adults: 1, children: 0, rooms: 1 },
    filters: {},
    currency: 'USD',
    sortKey: 'recommended',
    limit: 200,
    ...changes,
  }
  return runQuery(hotels, request, now)
}

function hotelsIn(geo: SearchRequest['geo'], neighbourhoods?: string[]) {
  return search({ geo, filters: neighbourhoods ? { neighbourhoods } : {} }, free)
}

describe('C19 places of the world', () => {
  it('are unique, lie near their city, and have names that exist', () => {
    const keys = placesOfWorld().map(({ kind, key }) => `${kind}:${key}`)
    expect(new Set(keys).size).toBe(keys.length)
    expect(PLACES_WITH_OTHER_NAMES.filter((place) => !keys.includes(place))).toEqual([])
    const far = LANDMARKS.filter(({ city, lat, lng }) => {
      const { lat: cityLat, lng: cityLng } = findCity(city)
      return Math.hypot(cityLat - lat, (cityLng - lng) * Math.cos((lat * Math.PI) / 180)) > 0.7
    })
    expect(far.map(({ key }) => key)).toEqual([])
  })

  it('have counts that equal the search they lead to, for every place with hotels', () => {
    const shown = all.map((place) => describePlace(index, place))
    const inhabited = shown.filter(({ properties }) => properties > 0)
    expect(inhabited.length).toBeGreaterThan(200)
    for (const { kind, key, properties, search: leads } of inhabited) {
      const found = hotelsIn(leads.geo, leads.neighbourhoods)
      expect([kind, key, found.total]).toEqual([kind, key, properties])
    }
  })

  it('have counts for a stay and a party that equal the total of that search', () => {
    const query = { ...BUSY, adults: 3, children: 1, rooms: 2 }
    const occupancy = { adults: 3, children: 1, rooms: 2 }
    let fewer = 0
    for (const q of ['kab', 'herat', 'shahr-e naw', 'istanbul', 'blue mosque', 'bamyan', 'lon']) {
      const suggestions = suggestNames(index, q)
      for (const each of countForStay(index, { suggestions, query }, now)) {
        if (each.search === undefined) continue
        const { geo, neighbourhoods } = each.search
        const filters = neighbourhoods ? { neighbourhoods } : {}
        expect(each.properties).toBe(search({ geo, filters, stay: BUSY, occupancy }).total)
        const listed = suggestions.find(({ kind, key }) => kind === each.kind && key === each.key)
        if (each.properties < (listed?.properties ?? 0)) fewer += 1
      }
    }
    expect(fewer).toBeGreaterThan(0)
  })

  it('have a box around all of their hotels, also on the antimeridian', () => {
    for (const place of all) {
      const { boundingBox, geo, properties, search: leads } = describePlace(index, place)
      expect(boxContains(boundingBox, geo.lat, geo.lng)).toBe(true)
      if (properties === 0) continue
      const { items } = hotelsIn(leads.geo, leads.neighbourhoods)
      const outside = items.filter(({ geo: at }) => !boxContains(boundingBox, at.lat, at.lng))
      expect([place.key, outside.length]).toEqual([place.key, 0])
    }
    const taveuni = describePlace(index, index.places.named('city', 'Taveuni')[0] ?? fail())
    expect(taveuni.boundingBox.swLng).toBeGreaterThan(taveuni.boundingBox.neLng)
    expect(taveuni.boundingBox.neLng).toBeLessThan(-179)
  })
})

describe('C19 suggestions', () => {
  it('for an empty text are the most popular cities with hotels', () => {
    const popular = suggestNames(index, ' ', 5)
    expect(popular).toEqual(popularPlaces(index, 5))
    expect(popular[0]).toMatchObject({ kind: 'city', key: 'kabul', match: 'popular' })
    expect(new Set(popular.map(({ kind }) => kind))).toEqual(new Set(['city']))
  })

  it('name the city and region of a place', () => {
    const [quarter] = suggestNames(index, 'wazir akbar')
    expect(quarter).toMatchObject({
      kind: 'neighbourhood',
      city: { key: 'kabul', name: { default: 'Kabul' } },
      search: { geo: { mode: 'city', city: 'kabul' }, neighbourhoods: [quarter?.key] },
    })
    const [landmark] = suggestNames(index, 'buddhas of bam')
    expect(landmark).toMatchObject({ kind: 'landmark', key: 'buddhas-of-bamyan', match: 'exact' })
    expect(landmark?.search?.geo).toMatchObject({ mode: 'point', point: { lat: 34.832 } })
  })

  it('for the beginning of a name list exact names first, and no similar place', () => {
    for (const { name } of CITIES) {
      const text = name.default
      for (let length = 2; length <= text.length; length += 1) {
        const found = suggestNames(index, text.slice(0, length), 20)
        const similar = found.filter(({ match }) => match === 'similar')
        expect(found.slice(found.length - similar.length)).toEqual(similar)
        expect(similar.every(({ kind }) => kind === 'property')).toBe(true)
      }
    }
  })

  it('for a name contain its city, in every language', () => {
    const listed = new Set(world.properties.map(({ city }) => city))
    for (const { name, key } of CITIES.filter((city) => listed.has(city.key))) {
      for (const text of [name.default, ...Object.values(name.localized)]) {
        expect(suggestNames(index, text, 20).map((each) => each.key)).toContain(key)
      }
    }
  })

  it.each([
    ['Kabul Afghanistan', 'city:kabul'],
    ['kabul city', 'city:kabul'],
    ['hotels in Herat', 'city:herat'],
    ['Babur Gardens Kabul', 'landmark:babur-gardens'],
    ['Kabbul, Afghanistan', 'city:kabul'],
    ['ولایت بلخ', 'region:balkh'],
    ['شهر کابل', 'city:kabul'],
    ['Granada Spain', 'city:granada'],
  ])('understand %s', (text, place) => {
    const [first] = suggestNames(index, text)
    expect(`${first?.kind}:${first?.key}`).toBe(place)
  })

  it('find a hotel by a mistyped name, after exact names', () => {
    const hotel = world.properties[0] ?? fail()
    const typed = hotel.name.default.replace(/(\p{L})(?=\p{L}*$)/u, '$1$1')
    expect(suggestNames(index, typed, 20).map(({ key }) => key)).toContain(hotel.propertyId)
  })
})

describe('C19 a search by the name of a place', () => {
  it.each([
    ['Qandahar', 'kandahar'],
    ['Bamiyan', 'bamyan'],
    ['Mazar-e-Sharif', 'mazar-i-sharif'],
    ['Mecca', 'makkah'],
    ['كندهار', 'kandahar'],
    ['Kabbul', 'kabul'],
    ['Kaboul', 'kabul'],
  ])('knows %s', (name, key) => {
    const found = hotelsIn({ mode: 'city', city: name })
    expect(found.place).toMatchObject({ kind: 'city', key })
    expect(found.items.every(({ city }) => city === key)).toBe(true)
    expect(found.total).toBeGreaterThan(0)
  })

  it('proposes places with a similar name for a typing error, and searches none of them', () => {
    const found = hotelsIn({ mode: 'city', city: 'Kandajar' })
    expect(found.total).toBe(0)
    expect(found.place).toBeUndefined()
    const [first] = found.alternatives ?? []
    expect(first).toMatchObject({ kind: 'city', key: 'kandahar', because: 'similar_name' })
    expect(hotelsIn(first?.search.geo ?? fail()).total).toBe(first?.properties)
  })

  it('proposes the largest cities where nothing is similar', () => {
    const { alternatives } = hotelsIn({ mode: 'city', city: 'Xqzvbn' })
    expect(alternatives).toHaveLength(5)
    expect(alternatives?.[0]).toMatchObject({ key: 'kabul', because: 'popular' })
  })

  it('proposes the nearest cities that match the same filters', () => {
    const geo: SearchRequest['geo'] = {
      mode: 'point',
      point: { lat: 34.7, lng: 67.2, radiusKm: 1 },
    }
    const filters = { starRating: [4, 5], neighbourhoods: ['kabul/Taimani'] }
    const { alternatives = [] } = search({ geo, filters })
    const distances = alternatives.map(({ distanceKm }) => distanceKm ?? Number.NaN)
    expect(distances).toHaveLength(5)
    expect(distances).toEqual(distances.toSorted((a, b) => a - b))
    for (const { search: leads, properties, because } of alternatives) {
      expect(because).toBe('nearby')
      expect(search({ geo: leads.geo, filters: { starRating: [4, 5] } }).total).toBe(properties)
    }
  })

  it('has the distance from the centre of the city or of the only neighbourhood', () => {
    const city = hotelsIn({ mode: 'city', city: 'kabul' })
    expect(city.items.every(({ distanceKm }) => distanceKm !== undefined)).toBe(true)
    const quarter = hotelsIn({ mode: 'city', city: 'kabul' }, ['Wazir Akbar Khan'])
    expect(quarter.place).toMatchObject({ kind: 'neighbourhood', geo: { lat: 34.537 } })
    const [hotel] = quarter.items
    const same = city.items.find(({ propertyId }) => propertyId === hotel?.propertyId)
    expect(same?.distanceKm).not.toBe(hotel?.distanceKm)
  })
})

function fail(): never {
  throw new TypeError('not in the world')
}
