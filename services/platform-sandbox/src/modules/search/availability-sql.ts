import { sql } from '@melmastoon/chassis/db'
import type { IsoDate } from '@melmastoon/domain'
import { type ChangeWindow, withinWindow } from './change-sql.ts'

export interface KnownAvailability {
  /** The first relevant night: yesterday, which is still today in some time zone. */
  yesterday: IsoDate
  first_night: IsoDate | null
  rooms_left: number[] | null
  rooms_total: number | null
}

export function findAvailability(propertyUuid: string) {
  return sql<KnownAvailability>`
    select (now() at time zone 'UTC')::date - 1 as yesterday, first_night, rooms_left, rooms_total
    from (values (${propertyUuid}::uuid)) as requested (property_id)
    left join sandbox.search_availability using (property_id)`
}

export interface ChangedAvailability {
  property_id: string
  first_night: IsoDate
  /**
   * In the text format of Postgres: parsed digit by digit, because there are thousands at the
   * start.
   */
  rooms_left: string
  rooms_total: number
  updated_seq: number
}

export function selectAvailability(window: ChangeWindow) {
  return sql<ChangedAvailability>`
    select property_id, first_night, rooms_left::text as rooms_left, rooms_total, updated_seq
    from sandbox.search_availability ${withinWindow(window)}`
}

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

export interface SeedAvailability {
  readonly propertyUuid: string
  readonly roomsLeft: readonly number[]
  readonly roomsTotal: number
}

/** Requires the locks of `lockProperties`: data read under them is the newest. */
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
