import { sql } from '@melmastoon/chassis/db'
import type { IsoDate } from '@melmastoon/domain'

export interface SeedAvailability {
  readonly propertyUuid: string
  readonly roomsLeft: readonly number[]
  readonly roomsTotal: number
}

/**
 * The world of a later day has more stays at its far end. They are taken off what is known; what
 * was booked since stays booked, and an event about a night corrects it to the room.
 */
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
      set first_night = excluded.first_night,
        rooms_left = array(
          select least(excluded.rooms_left[night],
            known.rooms_left[night + (excluded.first_night - known.first_night)])
          from generate_subscripts(excluded.rooms_left, 1) as night order by night)
      where known.first_night < excluded.first_night`
}
