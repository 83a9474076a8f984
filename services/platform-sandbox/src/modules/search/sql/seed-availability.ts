import { sql } from '@melmastoon/chassis/db'
import type { IsoDate } from '@melmastoon/domain'

export interface SeedAvailability {
  readonly propertyUuid: string
  readonly roomsLeft: readonly number[]
  readonly roomsTotal: number
}

/** Only under the locks of `lockProperties`: what was read after them is the newest. */
export function seedAvailability(firstNight: IsoDate, rows: readonly SeedAvailability[]) {
  return sql`
    insert into sandbox.search_availability as known
      (property_id, first_night, rooms_left, rooms_total)
    select seed.property_id, ${firstNight}::date, seed.rooms_left::smallint[], seed.rooms_total
    from unnest(
      ${rows.map(({ propertyUuid }) => propertyUuid)}::uuid[],
      ${rows.map(({ roomsLeft }) => `{${roomsLeft.join(',')}}`)}::text[],
      ${rows.map(({ roomsTotal }) => roomsTotal)}::smallint[]
    ) as seed (property_id, rooms_left, rooms_total)
    on conflict (property_id) do update
      set first_night = excluded.first_night, rooms_left = excluded.rooms_left,
        rooms_total = excluded.rooms_total
      where (known.first_night, known.rooms_left, known.rooms_total)
        is distinct from (excluded.first_night, excluded.rooms_left, excluded.rooms_total)`
}
