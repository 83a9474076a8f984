import { type Statement, sql } from '@melmastoon/chassis/db'
import type { FullHouseRow } from '../house.ts'
import { houseColumns } from './house-columns.ts'

/** With everything that belongs to it, in one round trip. */
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
      ), '[]') as room_types
    from sandbox.property_house h where h.property_id = ${property}::uuid`
}
