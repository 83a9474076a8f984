import { type Statement, sql } from '@melmastoon/chassis/db'
import type { LockVendor } from '@melmastoon/upstream-contracts/lock'

export interface LockPropertyRow {
  readonly vendor: LockVendor
  readonly gateway: 'online' | 'offline'
  readonly slots_per_room: number
}

export interface GatewayRow extends LockPropertyRow {
  /** Since the gateway went offline, or online again. */
  readonly changed_seconds: number
}

export interface PropertyRef {
  readonly tenant: string
  readonly property: string
}

export function selectGateway({ tenant, property }: PropertyRef): Statement<GatewayRow> {
  return sql<GatewayRow>`
    select vendor, gateway, slots_per_room,
      extract(epoch from clock_timestamp() - gateway_changed_at)::float8 as changed_seconds
    from sandbox.lock_property
    where tenant_id = ${tenant}::uuid and property_id = ${property}::uuid`
}

/** Commands to one gateway start one after the other, so that they can be counted. */
export function lockProperty({ tenant, property }: PropertyRef): Statement<LockPropertyRow> {
  return sql<LockPropertyRow>`
    select vendor, gateway, slots_per_room from sandbox.lock_property
    where tenant_id = ${tenant}::uuid and property_id = ${property}::uuid
    for no key update`
}

export function updateGateway(
  { tenant, property }: PropertyRef,
  gateway: string,
): Statement<{ vendor: LockVendor }> {
  return sql<{ vendor: LockVendor }>`
    update sandbox.lock_property set gateway = ${gateway}, gateway_changed_at = clock_timestamp()
    where tenant_id = ${tenant}::uuid and property_id = ${property}::uuid
    returning vendor`
}

/** Existing keys keep the vendor that issued them. */
export function updateVendor(
  { tenant, property }: PropertyRef,
  vendor: string,
  slots: number,
): Statement<{ vendor: LockVendor }> {
  return sql<{ vendor: LockVendor }>`
    update sandbox.lock_property set vendor = ${vendor}, slots_per_room = ${slots}
    where tenant_id = ${tenant}::uuid and property_id = ${property}::uuid
    returning vendor`
}
