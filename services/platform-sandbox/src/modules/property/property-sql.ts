import { rawSql, type SqlFragment, type Statement, sql } from '@melmastoon/chassis/db'
import type { IsoDate } from '@melmastoon/domain'
import type { Scenery } from '../../world/city.ts'
import type { FullHouseRow, HouseRow } from './house.ts'

/** The columns of a `HouseRow`; the table alias is `h`. */
const houseColumns = rawSql(`
  h.property_id, h.tenant_id, h.slug, h.version, h.name, h.description, h.address, h.lat, h.lng,
  h.time_zone, h.property_type, h.star_rating, h.guest_rating, h.amenity_codes,
  h.sharia_compliant, h.opened_on, h.policies, h.photo_count, h.room_count, h.updated_at`)

/** With all related data, in one round trip. */
export function findHouse(property: string): Statement<FullHouseRow> {
  return sql<FullHouseRow>`
    select ${houseColumns},
      coalesce((
        select jsonb_agg(jsonb_build_object('code', a.code, 'name', a.name)
          order by array_position(h.amenity_codes, a.code))
        from sandbox.property_amenity a where a.code = any (h.amenity_codes)
      ), '[]') as amenities,
      coalesce((
        select jsonb_agg(to_jsonb(t) order by t.position)
        from sandbox.property_room_type t where t.property_id = h.property_id
      ), '[]') as room_types,
      (now() at time zone h.time_zone)::date as today
    from sandbox.property_house h where h.property_id = ${property}::uuid`
}

export function selectHouses(properties: readonly string[]): Statement<HouseRow> {
  return sql<HouseRow>`
    select ${houseColumns} from sandbox.property_house h
    where h.property_id = any (${properties}::uuid[])`
}

export interface HousePage {
  readonly tenant: string
  readonly after: string | null
  readonly rows: number
}

export function selectHousesOfTenant(page: HousePage): Statement<HouseRow> {
  return sql<HouseRow>`
    select ${houseColumns} from sandbox.property_house h
    where h.tenant_id = ${page.tenant}::uuid
      and (${page.after}::uuid is null or h.property_id > ${page.after}::uuid)
    order by h.property_id limit ${page.rows}`
}

/**
 * Locked until the end of the transaction: versions of a house, and their events, are serialized.
 */
export function lockHouse(tenant: string, property: string): Statement<HouseRow> {
  return sql<HouseRow>`
    select ${houseColumns} from sandbox.property_house h
    where h.property_id = ${property}::uuid and h.tenant_id = ${tenant}::uuid
    for no key update of h`
}

export type HouseTexts = Pick<HouseRow, 'name' | 'description' | 'amenity_codes' | 'policies'>

/** Requires the lock of `lockHouse`. */
export function updateHouse(property: string, texts: HouseTexts): Statement<unknown> {
  return sql`
    update sandbox.property_house
    set name = ${texts.name}::jsonb, description = ${texts.description}::jsonb,
      amenity_codes = ${texts.amenity_codes}::text[], policies = ${texts.policies}::jsonb,
      version = version + 1, updated_at = clock_timestamp()
    where property_id = ${property}::uuid`
}

export function unknownAmenities(codes: readonly string[]): Statement<{ code: string }> {
  return sql<{ code: string }>`
    select requested.code from unnest(${codes}::text[]) as requested (code)
    where not exists (select 1 from sandbox.property_amenity a where a.code = requested.code)`
}

export interface RoomRow {
  readonly room_id: string
  readonly room_type_id: string
  readonly number: string
  readonly floor: number
  readonly status: 'active' | 'out_of_order' | 'out_of_service'
}

/** The rooms of house `h` as JSON, in the order of a walk through it. */
function roomsColumn(rows: number): SqlFragment {
  return sql`coalesce((
      select jsonb_agg(to_jsonb(r) order by r.floor, r.number) from (
        select room_id, room_type_id, number, floor, status from sandbox.property_room
        where property_id = h.property_id order by floor, number limit ${rows}
      ) r
    ), '[]') as rooms`
}

export interface FloorPlanRow {
  time_zone: string
  today: IsoDate
  rooms: RoomRow[]
}

/** No row when the house belongs to another tenant. */
export function selectFloorPlan(
  tenant: string,
  property: string,
  rows: number,
): Statement<FloorPlanRow> {
  return sql<FloorPlanRow>`
    select h.time_zone, (now() at time zone h.time_zone)::date as today, ${roomsColumn(rows)}
    from sandbox.property_house h
    where h.property_id = ${property}::uuid and h.tenant_id = ${tenant}::uuid`
}

/** No row when the house belongs to another tenant. */
export function selectRooms(
  tenant: string,
  property: string,
  rows: number,
): Statement<{ rooms: RoomRow[] }> {
  return sql<{ rooms: RoomRow[] }>`
    select ${roomsColumn(rows)}
    from sandbox.property_house h
    where h.property_id = ${property}::uuid and h.tenant_id = ${tenant}::uuid`
}

export interface HotelRow {
  readonly time_zone: string
}

/** No row when the house belongs to another tenant. */
export function selectHotel(tenant: string, property: string): Statement<HotelRow> {
  return sql<HotelRow>`
    select h.time_zone from sandbox.property_house h
    where h.property_id = ${property}::uuid and h.tenant_id = ${tenant}::uuid`
}

export interface RoomOfHotelRow extends RoomRow {
  readonly property_id: string
}

/** No row when the room belongs to another tenant. */
export function selectRoom(tenant: string, room: string): Statement<RoomOfHotelRow> {
  return sql<RoomOfHotelRow>`
    select r.room_id, r.property_id, r.room_type_id, r.number, r.floor, r.status
    from sandbox.property_room r join sandbox.property_house h using (property_id)
    where r.room_id = ${room}::uuid and h.tenant_id = ${tenant}::uuid`
}

export interface SceneRow {
  readonly scenery: Scenery
  readonly photo_count: number
  readonly room_types: number
}

/** The data needed to draw a photo of the house. */
export function findScene(property: string): Statement<SceneRow> {
  return sql<SceneRow>`
    select h.scenery, h.photo_count, (
      select count(*)::int from sandbox.property_room_type t where t.property_id = h.property_id
    ) as room_types
    from sandbox.property_house h where h.property_id = ${property}::uuid`
}

export interface MarkRow {
  readonly hue: number
  readonly letter: string
}

export function findMark(tenant: string): Statement<MarkRow> {
  return sql<MarkRow>`
    select hue, letter from sandbox.property_mark where tenant_id = ${tenant}::uuid`
}
