import { sql } from '@melmastoon/chassis/db'
import { type IsoDate, idToUuid } from '@melmastoon/domain'
import { CHANGES_TOPIC, type ChangedRow, type ChangeWindow, withinWindow } from './change-sql.ts'
import type { RoomTypeNights } from './index/room-nights.ts'

export interface KnownAvailability {
  /** The first relevant night: yesterday, which is still today in some time zone. */
  yesterday: IsoDate
  first_night: IsoDate | null
  rooms_left: number[] | null
  rooms_total: number | null
  room_types: string[] | null
  room_type_totals: number[] | null
  room_type_rooms_left: number[] | null
}

export function findAvailability(propertyUuid: string) {
  return sql<KnownAvailability>`
    select (now() at time zone 'UTC')::date - 1 as yesterday, first_night, rooms_left, rooms_total,
      room_types::text[] as room_types, room_type_totals, room_type_rooms_left
    from (values (${propertyUuid}::uuid)) as requested (property_id)
    left join sandbox.search_availability using (property_id)`
}

export interface ChangedAvailability extends ChangedRow {
  property_id: string
  first_night: IsoDate
  /**
   * In the text format of Postgres: parsed digit by digit, because there are thousands at the
   * start.
   */
  rooms_left: string
  rooms_total: number
  room_types: string
  room_type_totals: string
  room_type_rooms_left: string
}

export function selectAvailability(window: ChangeWindow) {
  return sql<ChangedAvailability>`
    select property_id, first_night, rooms_left::text as rooms_left, rooms_total,
      room_types::text as room_types, room_type_totals::text as room_type_totals,
      room_type_rooms_left::text as room_type_rooms_left, property_id as row_key, updated_seq
    from sandbox.search_availability ${withinWindow(window, 'property_id')}`
}

export interface SeedAvailability {
  readonly propertyUuid: string
  readonly roomsLeft: readonly number[]
  readonly roomsTotal: number
  readonly roomTypes: readonly RoomTypeNights[]
}

export interface AvailabilityWrite extends SeedAvailability {
  readonly firstNight: IsoDate
}

export function upsertAvailability(write: AvailabilityWrite) {
  const { propertyUuid, firstNight, roomsLeft, roomsTotal, roomTypes } = write
  return sql`
    insert into sandbox.search_availability
      (property_id, first_night, rooms_left, rooms_total, room_types, room_type_totals,
       room_type_rooms_left)
    values (${propertyUuid}::uuid, ${firstNight}::date, ${roomsLeft}::smallint[],
      ${roomsTotal}::smallint, ${uuidsOf(roomTypes)}::uuid[], ${totalsOf(roomTypes)}::smallint[],
      ${flatten(roomTypes)}::smallint[])
    on conflict (property_id) do update
      set first_night = excluded.first_night, rooms_left = excluded.rooms_left,
        rooms_total = excluded.rooms_total, room_types = excluded.room_types,
        room_type_totals = excluded.room_type_totals,
        room_type_rooms_left = excluded.room_type_rooms_left`.announcing(CHANGES_TOPIC)
}

function uuidsOf(types: readonly RoomTypeNights[]): string[] {
  return types.map(({ roomTypeId }) => idToUuid(roomTypeId))
}

function totalsOf(types: readonly RoomTypeNights[]): number[] {
  return types.map(({ roomsTotal }) => roomsTotal)
}

/** All room types have as many nights as the one with the most. */
function flatten(types: readonly RoomTypeNights[]): number[] {
  const width = Math.max(0, ...types.map(({ roomsLeft }) => roomsLeft.length))
  return types.flatMap(({ roomsLeft, roomsTotal }) =>
    Array.from({ length: width }, (_, night) => roomsLeft[night] ?? roomsTotal),
  )
}

/** The inverse of what is stored. */
export function unflatten(stored: {
  readonly roomTypeIds: readonly RoomTypeNights['roomTypeId'][]
  readonly totals: readonly number[]
  readonly roomsLeft: readonly number[]
}): RoomTypeNights[] {
  const { roomTypeIds, totals, roomsLeft } = stored
  const width = roomTypeIds.length === 0 ? 0 : roomsLeft.length / roomTypeIds.length
  return roomTypeIds.map((roomTypeId, type) => ({
    roomTypeId,
    roomsTotal: totals[type] ?? 0,
    roomsLeft: roomsLeft.slice(type * width, (type + 1) * width),
  }))
}

const toArrayText = (values: readonly (string | number)[]) => `{${values.join(',')}}`

/** Requires the locks of `lockProperties`: data read under them is the newest. */
export function seedAvailability(firstNight: IsoDate, rows: readonly SeedAvailability[]) {
  return sql`
    insert into sandbox.search_availability as known
      (property_id, first_night, rooms_left, rooms_total, room_types, room_type_totals,
       room_type_rooms_left)
    select seed.property_id, ${firstNight}::date, seed.rooms_left::smallint[], seed.rooms_total,
      seed.types::uuid[], seed.totals::smallint[], seed.types_left::smallint[]
    from unnest(
      ${rows.map(({ propertyUuid }) => propertyUuid)}::uuid[],
      ${rows.map(({ roomsLeft }) => toArrayText(roomsLeft))}::text[],
      ${rows.map(({ roomsTotal }) => roomsTotal)}::smallint[],
      ${rows.map(({ roomTypes }) => toArrayText(uuidsOf(roomTypes)))}::text[],
      ${rows.map(({ roomTypes }) => toArrayText(totalsOf(roomTypes)))}::text[],
      ${rows.map(({ roomTypes }) => toArrayText(flatten(roomTypes)))}::text[]
    ) as seed (property_id, rooms_left, rooms_total, types, totals, types_left)
    on conflict (property_id) do update
      set first_night = excluded.first_night, rooms_left = excluded.rooms_left,
        rooms_total = excluded.rooms_total, room_types = excluded.room_types,
        room_type_totals = excluded.room_type_totals,
        room_type_rooms_left = excluded.room_type_rooms_left
      where (known.first_night, known.rooms_left, known.rooms_total, known.room_types,
          known.room_type_totals, known.room_type_rooms_left)
        is distinct from (excluded.first_night, excluded.rooms_left, excluded.rooms_total,
          excluded.room_types, excluded.room_type_totals, excluded.room_type_rooms_left)`
}
