import { type Statement, sql } from '@melmastoon/chassis/db'
import type { HouseRow, RoomTypeRow } from './house.ts'
import type { MarkRow, RoomRow } from './property-sql.ts'

/** Any number of rows in one parameter. Existing ones stay unchanged. */
export function insertAmenities(
  rows: readonly { code: string; name: HouseRow['name'] }[],
): Statement<unknown> {
  return sql`
    insert into sandbox.property_amenity (code, name)
    select r.* from json_to_recordset(${JSON.stringify(rows)}::json) as r (code text, name jsonb)
    on conflict do nothing`
}

export type NewHouseRow = Omit<HouseRow, 'version' | 'updated_at'> & {
  readonly scenery: string
  readonly updated_at: string
}

export function insertHouses(rows: readonly NewHouseRow[]): Statement<unknown> {
  return sql`
    insert into sandbox.property_house
      (property_id, tenant_id, slug, name, description, address, lat, lng, time_zone,
        property_type, star_rating, guest_rating, amenity_codes, sharia_compliant, opened_on,
        policies, scenery, photo_count, room_count, updated_at)
    select r.* from json_to_recordset(${JSON.stringify(rows)}::json) as r
      (property_id uuid, tenant_id uuid, slug text, name jsonb, description jsonb, address jsonb,
        lat double precision, lng double precision, time_zone text, property_type text,
        star_rating smallint, guest_rating jsonb, amenity_codes text[], sharia_compliant boolean,
        opened_on date, policies jsonb, scenery text, photo_count smallint, room_count int,
        updated_at timestamptz)
    on conflict do nothing`
}

export function insertRoomTypes(
  rows: readonly (RoomTypeRow & { property_id: string })[],
): Statement<unknown> {
  return sql`
    insert into sandbox.property_room_type
      (room_type_id, property_id, position, kind, name, adults_max, children_max, size_sqm, beds,
        room_count)
    select r.* from json_to_recordset(${JSON.stringify(rows)}::json) as r
      (room_type_id uuid, property_id uuid, position smallint, kind text, name jsonb,
        adults_max smallint, children_max smallint, size_sqm smallint, beds jsonb, room_count int)
    on conflict do nothing`
}

export function insertRooms(
  rows: readonly (Omit<RoomRow, 'status'> & { property_id: string })[],
): Statement<unknown> {
  return sql`
    insert into sandbox.property_room (room_id, property_id, room_type_id, number, floor)
    select r.* from json_to_recordset(${JSON.stringify(rows)}::json) as r
      (room_id uuid, property_id uuid, room_type_id uuid, number text, floor smallint)
    on conflict do nothing`
}

export function insertMarks(
  rows: readonly (MarkRow & { tenant_id: string })[],
): Statement<unknown> {
  return sql`
    insert into sandbox.property_mark (tenant_id, hue, letter)
    select r.* from json_to_recordset(${JSON.stringify(rows)}::json) as r
      (tenant_id uuid, hue smallint, letter text)
    on conflict do nothing`
}
