import { daysBetween, type PropertyId } from '@melmastoon/domain'
import { r1, s1, s2 } from 's2js'
import type { SearchRequest } from '../../src/modules/search/run-query.ts'
import { wordsOf } from '../../src/modules/search/text/normalize-text.ts'
import { findCity } from '../../src/world/cities.ts'
import type { World, WorldProperty } from '../../src/world/world.ts'
import { type ExpectedPrice, expectedPrices, shownIn } from './expected-prices.ts'
import { roomsLeftIn } from './rooms-left.ts'

const RADIANS = Math.PI / 180
const EARTH_RADIUS_KM = 6_371.0088

/** The expected result of a search, by a scan of every hotel. */
export function bruteForce(world: World, now: Date) {
  const priceOf = expectedPrices(world, now)
  const roomsLeft = roomsLeftIn(world)
  const nights = new Map(world.properties.map((each) => [each.propertyId, roomsLeft(each)]))
  return (request: SearchRequest): WorldProperty[] =>
    world.properties.filter((property) => {
      const free = nights.get(property.propertyId)?.roomsLeft ?? []
      return (
        isInArea(property, request.geo) &&
        passes(property, request.filters) &&
        houses(property, request.occupancy) &&
        isFree(free, request, world) &&
        isShown(priceOf(property, request), request.filters)
      )
    })
}

function isInArea(property: WorldProperty, geo: SearchRequest['geo']): boolean {
  const here = s2.LatLng.fromDegrees(property.lat, property.lng)
  switch (geo.mode) {
    case 'city':
      return property.city === geo.city
    case 'region':
      return property.region === geo.region
    case 'point': {
      const there = s2.LatLng.fromDegrees(geo.point.lat, geo.point.lng)
      return here.distance(there) * EARTH_RADIUS_KM <= geo.point.radiusKm
    }
    case 'bounding-box': {
      const { swLat, swLng, neLat, neLng } = geo.boundingBox
      const lat = new r1.Interval(swLat * RADIANS, neLat * RADIANS)
      const lng = s1.Interval.fromEndpoints(swLng * RADIANS, neLng * RADIANS)
      return new s2.Rect(lat, lng).containsLatLng(here)
    }
  }
}

function passes(property: WorldProperty, filters: SearchRequest['filters']): boolean {
  const { amenities, starRating, guestRatingMin, propertyType, neighbourhoods } = filters
  return (
    (amenities ?? []).every((amenity) => property.amenities.includes(amenity)) &&
    (!starRating?.length || starRating.includes(property.starRating ?? 0)) &&
    (!guestRatingMin || (property.guestRating?.value ?? 0) >= guestRatingMin) &&
    (!propertyType?.length || propertyType.includes(property.propertyType)) &&
    (!neighbourhoods?.length || neighbourhoods.includes(property.neighbourhood)) &&
    (filters.text === undefined || reads(property, filters.text))
  )
}

/** Without a price only where the request does not ask for one. */
function isShown(price: ExpectedPrice | null, filters: SearchRequest['filters']): boolean {
  const { priceRange: range, cancellationFlexibility: terms = 'any', availableOnly } = filters
  if (price === null) return range === undefined && terms === 'any' && !availableOnly
  if (range === undefined) return true
  const own = range.per === 'stay' ? price.total : price.cheapestNight
  const shown = shownIn(range.currency, own, price.currency)
  return shown >= BigInt(range.minMicro) && shown <= BigInt(range.maxMicro)
}

function reads(property: WorldProperty, text: string): boolean {
  const city = findCity(property.city)
  const quarter = city.quarters.find(({ en }) => en === property.neighbourhood)
  const names = [
    ...allNames(property.name),
    ...allNames(city.name),
    city.key,
    property.neighbourhood,
    ...Object.values(quarter?.localized ?? {}),
  ]
  const known = names.flatMap((name) => [
    ...wordsOf(name),
    ...wordsOf(name.replace(/\u200c/g, ' ')),
  ])
  const words = wordsOf(text)
  return words.length > 0 && words.every((word) => known.some((each) => each.startsWith(word)))
}

function allNames(name: WorldProperty['name']): string[] {
  return [name.default, ...Object.values(name.localized)]
}

type Party = SearchRequest['occupancy']

function houses({ roomTypes }: WorldProperty, party: Party): boolean {
  const tried = new Set<string>()
  const choose = (type: number, rooms: number, adults: number, people: number): boolean => {
    const key = `${type} ${rooms} ${adults} ${people}`
    if (tried.has(key)) return false
    tried.add(key)
    if (rooms === 0) return adults >= party.adults && people >= party.adults + party.children
    const kind = roomTypes[type]
    if (kind === undefined) return false
    const most = Math.min(rooms, kind.rooms.length)
    return Array.from({ length: most + 1 }, (_, count) => count).some((count) =>
      choose(
        type + 1,
        rooms - count,
        adults + count * kind.adultsMax,
        people + count * (kind.adultsMax + kind.childrenMax),
      ),
    )
  }
  return choose(0, party.rooms, 0, 0)
}

function isFree(free: readonly number[], { stay, occupancy }: SearchRequest, world: World) {
  const first = daysBetween(world.anchorDate, stay.checkIn) + 1
  const last = daysBetween(world.anchorDate, stay.checkOut) + 1
  return free.slice(first, last).every((left) => left >= occupancy.rooms)
}

/** In every requested order except `recommended`, whose rules have tests of their own. */
export function sortedIds(
  properties: readonly WorldProperty[],
  request: SearchRequest,
  priceOf: ReturnType<typeof expectedPrices>,
): PropertyId[] {
  const keyed = properties.map((property) => {
    const price = request.sortKey.startsWith('price') ? priceOf(property, request) : null
    return { property, keys: keysOf(property, request, price) }
  })
  return keyed
    .toSorted((a, b) => compareKeys(a.keys, b.keys) || compareIds(a.property, b.property))
    .map(({ property }) => property.propertyId)
}

function keysOf(
  property: WorldProperty,
  { sortKey, geo, currency }: SearchRequest,
  price: ExpectedPrice | null,
) {
  const shown = price && Number(shownIn(currency, price.total, price.currency))
  const { value = 0, count = 0 } = property.guestRating ?? {}
  switch (sortKey) {
    case 'price-asc':
      return [shown ?? Number.MAX_VALUE]
    case 'price-desc':
      return [shown === null ? Number.MAX_VALUE : -shown]
    case 'rating-desc':
      return [-value, -count]
    case 'distance-asc': {
      if (geo.mode !== 'point') throw new TypeError('near what?')
      const there = s2.LatLng.fromDegrees(geo.point.lat, geo.point.lng)
      return [s2.LatLng.fromDegrees(property.lat, property.lng).distance(there)]
    }
    case 'recommended':
      throw new TypeError('not comparable without the score')
  }
}

function compareKeys(a: readonly number[], b: readonly number[]): number {
  for (const [index, key] of a.entries()) {
    const difference = key - (b[index] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

function compareIds(a: WorldProperty, b: WorldProperty): number {
  return a.propertyId < b.propertyId ? -1 : 1
}
