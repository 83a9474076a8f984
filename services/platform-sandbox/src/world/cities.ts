import type { City } from './city.ts'
import { AFGHANISTAN } from './places/afghanistan.ts'
import { EUROPE } from './places/europe.ts'
import { FAR_AWAY } from './places/far-away.ts'
import { MIDDLE_EAST } from './places/middle-east.ts'
import { NEIGHBOURS } from './places/neighbours.ts'
import { SOUTH_AND_EAST_ASIA } from './places/south-and-east-asia.ts'
import { readPlaces } from './read-places.ts'

/** Every town with a hotel, with its real coordinates. */
export const CITIES: readonly City[] = [
  ...AFGHANISTAN,
  ...NEIGHBOURS,
  ...MIDDLE_EAST,
  ...SOUTH_AND_EAST_ASIA,
  ...EUROPE,
  ...FAR_AWAY,
].flatMap(readPlaces)

const byKey = new Map(CITIES.map((city) => [city.key, city]))

export function findCity(key: string): City {
  const city = byKey.get(key)
  if (city === undefined) throw new TypeError(`no town has the key ${key}`)
  return city
}
