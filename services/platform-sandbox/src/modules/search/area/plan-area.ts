import { problem } from '@melmastoon/domain'
import type { GeoArea } from '@melmastoon/upstream-contracts/search'
import type { RowTest } from '../filters/plan-filters.ts'
import type { ListingIndex } from '../index/listing-index.ts'
import type { Place } from '../index/places.ts'
import { type BoundingBox, boxCentre, boxContains } from './bounding-box.ts'
import { kmToChordSquared, type LatLng, toUnitVector, type UnitVector } from './sphere.ts'

export interface AreaPlan {
  readonly test: RowTest
  /** The origin of distances; null where the place is unknown. */
  readonly centre: UnitVector | null
  /** The radius of a circle around a point, as a chord; only used there. */
  readonly radiusChord: number | null
  /** The place that was named. */
  readonly place: Place | null
}

const NOWHERE: AreaPlan = { test: () => false, centre: null, radiusChord: null, place: null }

export function planArea(index: ListingIndex, geo: GeoArea): AreaPlan {
  switch (geo.mode) {
    case 'point':
      return planCircle(index, geo.point, geo.point.radiusKm)
    case 'bounding-box':
      return planBox(index, geo.boundingBox)
    case 'city':
      return planPlace(index, 'city', geo.city)
    case 'region':
      return planPlace(index, 'region', geo.region)
  }
}

function planCircle({ columns }: ListingIndex, point: LatLng, radiusKm: number): AreaPlan {
  const { x, y, z } = columns
  const centre = toUnitVector(point)
  const radiusChord = kmToChordSquared(radiusKm)
  const test = (row: number) => {
    const dx = (x[row] ?? 0) - centre.x
    const dy = (y[row] ?? 0) - centre.y
    const dz = (z[row] ?? 0) - centre.z
    return dx * dx + dy * dy + dz * dz <= radiusChord
  }
  return { test, centre, radiusChord, place: null }
}

function planBox({ columns }: ListingIndex, box: BoundingBox): AreaPlan {
  if (box.swLat > box.neLat) {
    throw problem('MELMASTOON.SEARCH.AREA_INVALID', {
      detail: 'The southern edge of the box is north of its northern edge.',
      errors: [
        {
          pointer: '/geo/boundingBox/swLat',
          code: 'above_maximum',
          detail: 'swLat must not exceed neLat.',
        },
      ],
    })
  }
  const { lat, lng } = columns
  return {
    test: (row) => boxContains(box, lat[row] ?? 0, lng[row] ?? 0),
    centre: toUnitVector(boxCentre(box)),
    radiusChord: null,
    place: null,
  }
}

/** By key or by any name or transliteration; a name of several places means all of them. */
function planPlace(index: ListingIndex, kind: 'city' | 'region', name: string): AreaPlan {
  const dictionary = kind === 'city' ? index.cities : index.regions
  const places = index.places.resolve(kind, name)
  const keys = [name, ...places.map(({ key }) => key)]
  const numbers = new Set(keys.flatMap((key) => dictionary.find(key) ?? []))
  if (numbers.size === 0) return NOWHERE
  const column = index.columns[kind]
  const [first] = numbers
  const test = (row: number) =>
    numbers.size === 1 ? column[row] === first : numbers.has(column[row] ?? -1)
  const [place = null] = places
  return { test, centre: place && toUnitVector(place), radiusChord: null, place }
}

/** The only requested neighbourhood of a city is the place that was named. */
export function focusArea(
  { places }: ListingIndex,
  area: AreaPlan,
  neighbourhoods: readonly string[] = [],
): AreaPlan {
  const [name, ...others] = neighbourhoods
  if (area.place?.kind !== 'city' || name === undefined || others.length > 0) return area
  const city = area.place.key
  const known = places.get('neighbourhood', name)
  const named = known ? [known] : places.resolve('neighbourhood', name)
  const place = named.find((each) => each.city === city)
  return place === undefined ? area : { ...area, place, centre: toUnitVector(place) }
}
