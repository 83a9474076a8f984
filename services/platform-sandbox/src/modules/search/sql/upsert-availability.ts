import { sql } from '@melmastoon/chassis/db'
import type { IsoDate } from '@melmastoon/domain'

export interface AvailabilityWrite {
  readonly propertyUuid: string
  readonly firstNight: IsoDate
  readonly roomsLeft: readonly number[]
  readonly roomsTotal: number
}

export function upsertAvailability(write: AvailabilityWrite) {
  const { propertyUuid, firstNight, roomsLeft, roomsTotal } = write
  return sql`
    insert into sandbox.search_availability (property_id, first_night, rooms_left, rooms_total)
    values (${propertyUuid}::uuid, ${firstNight}::date, ${roomsLeft}::smallint[],
      ${roomsTotal}::smallint)
    on conflict (property_id) do update
      set first_night = excluded.first_night, rooms_left = excluded.rooms_left,
        rooms_total = excluded.rooms_total`
}
