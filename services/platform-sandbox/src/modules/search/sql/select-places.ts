import { sql } from '@melmastoon/chassis/db'
import type { Place } from '../index/places.ts'

/** Some hundreds, and hardly ever a new one: always all of them. */
export function selectPlaces() {
  return sql<Place>`
    select kind, key, country, names, lat, lng from sandbox.search_place order by kind, key`
}
