import { sql } from '@melmastoon/chassis/db'
import type { Place } from './index/places.ts'

/** A few hundred rows that rarely change: always read completely. */
export function selectPlaces() {
  return sql<Place>`
    select kind, key, country, names, lat, lng from sandbox.search_place order by kind, key`
}

/** Updates places whose data has changed. */
export function seedPlaces(places: readonly Place[]) {
  return sql`
    insert into sandbox.search_place as known (kind, key, country, names, lat, lng)
    select * from unnest(
      ${places.map(({ kind }) => kind)}::text[],
      ${places.map(({ key }) => key)}::text[],
      ${places.map(({ country }) => country)}::text[],
      ${places.map(({ names }) => JSON.stringify(names))}::jsonb[],
      ${places.map(({ lat }) => lat)}::double precision[],
      ${places.map(({ lng }) => lng)}::double precision[])
    on conflict (kind, key) do update
      set country = excluded.country, names = excluded.names,
        lat = excluded.lat, lng = excluded.lng
      where (known.country, known.names, known.lat, known.lng)
        is distinct from (excluded.country, excluded.names, excluded.lat, excluded.lng)`
}
