import { CITIES } from '../../world/cities.ts'
import type { City, Quarter } from '../../world/city.ts'
import type { WorldProperty } from '../../world/world.ts'
import { type LatLng, middleOf } from './area/sphere.ts'
import type { Place } from './index/places.ts'

/** Towns and regions at their location, neighbourhoods at the centre of their hotels. */
export function placesOf(properties: readonly WorldProperty[]): Place[] {
  const byQuarter = Map.groupBy(properties, ({ city, neighbourhood }) => `${city}/${neighbourhood}`)
  const byRegion = Map.groupBy(CITIES, ({ region }) => region.key)
  return [
    ...CITIES.map(cityPlace),
    ...[...byRegion.values()].flatMap(regionPlace),
    ...CITIES.flatMap((city) =>
      city.quarters.flatMap((quarter) => {
        const houses = byQuarter.get(`${city.key}/${quarter.en}`)
        return houses === undefined ? [] : [quarterPlace(city, quarter, houses)]
      }),
    ),
  ]
}

function cityPlace({ key, country, name, lat, lng }: City): Place {
  return { kind: 'city', key, country, names: name, lat, lng }
}

function regionPlace(cities: readonly City[]): Place[] {
  const [first] = cities
  if (first === undefined) return []
  const { region, country } = first
  return [{ kind: 'region', key: region.key, country, names: region.name, ...middleOf(cities) }]
}

function quarterPlace(city: City, { en, localized }: Quarter, houses: readonly LatLng[]): Place {
  const names = localized === null ? { default: en } : { default: en, localized }
  const { key, country } = city
  return { kind: 'neighbourhood', key: `${key}/${en}`, country, names, ...middleOf(houses) }
}
