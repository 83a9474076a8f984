import { type Statement, sql } from '@melmastoon/chassis/db'

export interface RoomRow {
  readonly room_id: string
  readonly room_type_id: string
  readonly number: string
  readonly floor: number
  readonly status: 'active' | 'out_of_order' | 'out_of_service'
}

/** No row at all when the house is another tenant's. */
export function selectRooms(
  tenant: string,
  property: string,
  rows: number,
): Statement<{ rooms: RoomRow[] }> {
  return sql<{ rooms: RoomRow[] }>`
    select coalesce((
      select jsonb_agg(to_jsonb(r) order by r.floor, r.number) from (
        select room_id, room_type_id, number, floor, status from sandbox.property_room
        where property_id = h.property_id order by floor, number limit ${rows}
      ) r
    ), '[]') as rooms
    from sandbox.property_house h
    where h.property_id = ${property}::uuid and h.tenant_id = ${tenant}::uuid`
}
