import { rawSql } from '@melmastoon/chassis/db'

/** Of allocation `a`, with its items in the order of their ids. */
export const allocationColumns = rawSql(`a.tenant_id, a.allocation_id, a.property_id,
  a.reservation_id, a.holder, a.kept_by, a.state, a.check_in, a.check_out, a.created_at,
  a.expires_at, a.extensions,
  (select json_agg(json_build_object('room_type_id', i.room_type_id, 'rooms', i.rooms)
      order by i.room_type_id)
    from sandbox.inventory_allocation_item i
    where i.tenant_id = a.tenant_id and i.allocation_id = a.allocation_id) as items`)
