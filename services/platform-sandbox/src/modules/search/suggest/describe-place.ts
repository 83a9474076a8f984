import type { PlaceSummary } from '@melmastoon/upstream-contracts/search'
import type { BoundingBox } from '../area/bounding-box.ts'
import { kmToChordSquared, toUnitVector } from '../area/sphere.ts'
import type { ListingIndex } from '../index/listing-index.ts'
import { totalsOf } from '../index/place-totals.ts'
import type { Place } from '../index/places.ts'
import { chordAt } from '../ranking/score.ts'

/** A place with the search that selects its hotels, and the number of those. */
export function describePlace(index: ListingIndex, place: Place): PlaceSummary {
  const { kind, key, names, country, lat, lng } = place
  return {
    kind,
    key,
    name: textOf(names),
    country,
    geo: { lat, lng },
    ...namesAround(index, place),
    ...(kind === 'landmark' ? around(index, place) : within(index, place)),
  }
}

function textOf({ default: fallback, localized }: Place['names']): PlaceSummary['name'] {
  return localized === undefined
    ? { default: fallback }
    : { default: fallback, localized: { ...localized } }
}

/** The city and region that a place lies in. */
export function namesAround({ places }: ListingIndex, { city, region }: Pick<Place, Around>) {
  const cityPlace = city === null ? undefined : places.get('city', city)
  const regionPlace = region === null ? undefined : places.get('region', region)
  return {
    ...(cityPlace && { city: { key: cityPlace.key, name: textOf(cityPlace.names) } }),
    ...(regionPlace && { region: { key: regionPlace.key, name: textOf(regionPlace.names) } }),
  }
}

type Around = 'city' | 'region'
type Extent = Pick<PlaceSummary, 'properties' | 'boundingBox' | 'search'>

function within(index: ListingIndex, place: Place): Extent {
  const { count: properties, box: boundingBox } = totalsOf(index, place)
  return { properties, boundingBox, search: searchOf(place) }
}

function searchOf({ kind, key, city }: Place): PlaceSummary['search'] {
  if (kind === 'region') return { geo: { mode: 'region', region: key } }
  if (kind === 'city') return { geo: { mode: 'city', city: key } }
  return { geo: { mode: 'city', city: city ?? '' }, neighbourhoods: [key] }
}

/** The smallest of these circles with several hotels, else with any. */
const RADII_KM = [3, 10, 30, 100]
const SEVERAL = 5

interface Circle {
  readonly radiusKm: number
  readonly properties: number
}

const circles = new WeakMap<ListingIndex, { revision: number; byKey: Map<string, Circle> }>()

function around(index: ListingIndex, place: Place): Extent {
  const { lat, lng } = place
  const { radiusKm, properties } = circleOf(index, place)
  const search = { geo: { mode: 'point' as const, point: { lat, lng, radiusKm } } }
  return { properties, boundingBox: boxAround(place, radiusKm), search }
}

function circleOf(index: ListingIndex, place: Place): Circle {
  let known = circles.get(index)
  if (known?.revision !== index.listedRevision) {
    known = { revision: index.listedRevision, byKey: new Map() }
    circles.set(index, known)
  }
  const circle = known.byKey.get(place.key) ?? drawCircle(index, place)
  known.byKey.set(place.key, circle)
  return circle
}

function drawCircle(index: ListingIndex, place: Place): Circle {
  const { columns, firstRow, endRow } = index
  const centre = toUnitVector(place)
  const limits = RADII_KM.map(kmToChordSquared)
  const counts = RADII_KM.map(() => 0)
  for (let row = firstRow; row < endRow; row += 1) {
    if (columns.isVisible[row] !== 1) continue
    const chord = chordAt(index, centre, row)
    for (const [at, limit] of limits.entries())
      if (chord <= limit) counts[at] = (counts[at] ?? 0) + 1
  }
  const several = counts.findIndex((count) => count >= SEVERAL)
  const at = several >= 0 ? several : counts.findIndex((count) => count > 0)
  return at < 0
    ? { radiusKm: RADII_KM[0] ?? 1, properties: 0 }
    : { radiusKm: RADII_KM[at] ?? 1, properties: counts[at] ?? 0 }
}

const KM_PER_DEGREE = 111.19

function boxAround({ lat, lng }: Place, radiusKm: number): BoundingBox {
  const up = radiusKm / KM_PER_DEGREE
  const aside = up / Math.max(0.01, Math.cos((lat * Math.PI) / 180))
  return {
    swLat: rounded(Math.max(-90, lat - up)),
    swLng: rounded(wrapped(lng - aside)),
    neLat: rounded(Math.min(90, lat + up)),
    neLng: rounded(wrapped(lng + aside)),
  }
}

function wrapped(lng: number): number {
  return lng > 180 ? lng - 360 : lng < -180 ? lng + 360 : lng
}

function rounded(degrees: number): number {
  return Math.round(degrees * 10_000) / 10_000
}
