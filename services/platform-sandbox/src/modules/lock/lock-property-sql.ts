import { type Statement, sql } from '@melmastoon/chassis/db'
import type { LockVendor } from '@melmastoon/upstream-contracts/lock'

export interface LockPropertyRow {
  readonly vendor: LockVendor
  readonly gateway: 'online' | 'offline'
  readonly gateway_changed_at: Date
  readonly slots_per_room: number
}

export interface PropertyRef {
  readonly tenant: string
  readonly property: string
}

export function selectLockProperty({ tenant, property }: PropertyRef): Statement<LockPropertyRow> {
  return sql<LockPropertyRow>`
    select vendor, gateway, gateway_changed_at, slots_per_room from sandbox.lock_property
    where tenant_id = ${tenant}::uuid and property_id = ${property}::uuid`
}

/** Commands to one gateway start one after the other, so that they can be counted. */
export function lockProperty({ tenant, property }: PropertyRef): Statement<LockPropertyRow> {
  return sql<LockPropertyRow>`
    select vendor, gateway, gateway_changed_at, slots_per_room from sandbox.lock_property
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
