import { sql } from '@melmastoon/chassis/db'
import type { Place } from './index/places.ts'

/** A few hundred rows that rarely change: always read completely. */
export function selectPlaces() {
  return sql<Place>`
    select kind, key, country, names, other_names as "otherNames", city, region, lat, lng
    from sandbox.search_place order by kind, key`
}

/** Updates places whose data has changed. Other names are one JSON text per place. */
export function seedPlaces(places: readonly Place[]) {
  return sql`
    insert into sandbox.search_place as known
      (kind, key, country, names, other_names, city, region, lat, lng)
    select kind, key, country, names, array(select jsonb_array_elements_text(other_names)),
      city, region, lat, lng
    from unnest(
      ${places.map(({ kind }) => kind)}::text[],
      ${places.map(({ key }) => key)}::text[],
      ${places.map(({ country }) => country)}::text[],
      ${places.map(({ names }) => JSON.stringify(names))}::jsonb[],
      ${places.map(({ otherNames }) => JSON.stringify(otherNames))}::jsonb[],
      ${places.map(({ city }) => city)}::text[],
      ${places.map(({ region }) => region)}::text[],
      ${places.map(({ lat }) => lat)}::double precision[],
      ${places.map(({ lng }) => lng)}::double precision[])
      as place (kind, key, country, names, other_names, city, region, lat, lng)
    on conflict (kind, key) do update
      set country = excluded.country, names = excluded.names, other_names = excluded.other_names,
        city = excluded.city, region = excluded.region, lat = excluded.lat, lng = excluded.lng
      where (known.country, known.names, known.other_names, known.city, known.region,
          known.lat, known.lng)
        is distinct from (excluded.country, excluded.names, excluded.other_names, excluded.city,
          excluded.region, excluded.lat, excluded.lng)`
}
