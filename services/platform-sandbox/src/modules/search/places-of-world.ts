import { CITIES } from '../../world/cities.ts'
import type { City, Quarter } from '../../world/city.ts'
import { LANDMARKS, type Landmark, otherNamesOf } from '../../world/landmarks.ts'
import { middleOf } from './area/sphere.ts'
import type { Place } from './index/places.ts'

/** Places without hotels are included: a hotel may open there. */
export function placesOfWorld(): Place[] {
  const byRegion = Map.groupBy(CITIES, ({ region }) => region.key)
  const regionOf = new Map(CITIES.map(({ key, region }) => [key, region.key]))
  return [
    ...CITIES.map(cityPlace),
    ...[...byRegion.values()].flatMap(regionPlace),
    ...CITIES.flatMap((city) => city.quarters.map((quarter) => quarterPlace(city, quarter))),
    ...LANDMARKS.map((landmark) => landmarkPlace(landmark, regionOf.get(landmark.city) ?? null)),
  ]
}

function cityPlace({ key, country, name, nativeName, region, lat, lng }: City): Place {
  const otherNames = [...new Set([nativeName, ...otherNamesOf(`city:${key}`)])]
  const within = { city: null, region: region.key }
  return { kind: 'city', key, country, names: name, otherNames, ...within, lat, lng }
}

function regionPlace(cities: readonly City[]): Place[] {
  const [first] = cities
  if (first === undefined) return []
  const { region, country } = first
  const { key, name: names } = region
  const otherNames = otherNamesOf(`region:${key}`)
  const within = { city: null, region: null }
  return [{ kind: 'region', key, country, names, otherNames, ...within, ...middleOf(cities) }]
}

function quarterPlace(city: City, { en, localized, lat, lng }: Quarter): Place {
  const names = localized === null ? { default: en } : { default: en, localized }
  const { country } = city
  const within = { city: city.key, region: city.region.key }
  const key = `${city.key}/${en}`
  return { kind: 'neighbourhood', key, country, names, otherNames: [], ...within, lat, lng }
}

function landmarkPlace(landmark: Landmark, region: string | null): Place {
  const { key, city, country, name: names, otherNames, lat, lng } = landmark
  return { kind: 'landmark', key, country, names, otherNames, city, region, lat, lng }
}
