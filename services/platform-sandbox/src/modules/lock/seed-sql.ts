import { type Statement, sql } from '@melmastoon/chassis/db'

export interface SeededProperty {
  readonly tenant_id: string
  readonly property_id: string
  readonly vendor: string
  readonly slots_per_room: number
  readonly time_zone: string
  readonly check_in_time: string
  readonly check_out_time: string
}

export function seedProperties(rows: readonly SeededProperty[]): Statement<unknown> {
  return sql`
    insert into sandbox.lock_property (tenant_id, property_id, vendor, slots_per_room, time_zone,
      check_in_time, check_out_time)
    select r.* from json_to_recordset(${JSON.stringify(rows)}::json) as r (tenant_id uuid,
      property_id uuid, vendor text, slots_per_room int, time_zone text, check_in_time time,
      check_out_time time)
    on conflict do nothing`
}

export interface SeededKey {
  readonly tenant_id: string
  /** A key has the bits of its reservation id. */
  readonly reservation_id: string
  readonly property_id: string
  readonly room_id: string
  readonly check_in: string
  readonly check_out: string
}

/**
 * An active card for each guest in the house, valid from check-in until half an hour after
 * check-out in the time zone of the hotel. Existing keys stay unchanged.
 */
export function seedKeys(rows: readonly SeededKey[]): Statement<unknown> {
  return sql`
    with added as (
      insert into sandbox.lock_credential (tenant_id, key_id, property_id, reservation_id, rooms,
        kind, state, vendor, valid_from, valid_until)
      select g.tenant_id, g.reservation_id, g.property_id, g.reservation_id, array[g.room_id],
        'rfid_card', 'active', p.vendor,
        (g.check_in + p.check_in_time) at time zone p.time_zone,
        (g.check_out + p.check_out_time) at time zone p.time_zone + interval '30 minutes'
      from json_to_recordset(${JSON.stringify(rows)}::json) as g (tenant_id uuid,
        reservation_id uuid, property_id uuid, room_id uuid, check_in date, check_out date)
      join sandbox.lock_property p using (tenant_id, property_id)
      on conflict do nothing
      returning tenant_id, key_id, version, state)
    insert into sandbox.lock_credential_version (tenant_id, key_id, version, state)
    select tenant_id, key_id, version, state from added`
}

/** On a later day: the keys of guests who have left since. */
export function revokeSeededKeys(
  tenants: readonly string[],
  reservations: readonly string[],
): Statement<unknown> {
  return sql`
    with revoked as (
      update sandbox.lock_credential c
      set state = 'revoked', version = version + 1, updated_at = now()
      from unnest(${tenants}::uuid[], ${reservations}::uuid[]) as g (tenant_id, reservation_id)
      where c.tenant_id = g.tenant_id and c.key_id = g.reservation_id and c.state = 'active'
      returning c.tenant_id, c.key_id, c.version, c.state)
    insert into sandbox.lock_credential_version (tenant_id, key_id, version, state)
    select tenant_id, key_id, version, state from revoked`
}
