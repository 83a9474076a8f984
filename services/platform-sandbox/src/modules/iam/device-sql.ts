import { type Statement, sql } from '@melmastoon/chassis/db'
import type { RegisteredDevice } from '@melmastoon/upstream-contracts/iam'

export interface DeviceRow {
  device_id: string
  name: string
  platform: RegisteredDevice['platform']
  app_version: string
  jkt: string
  operator_id: string
  registered_at: Date
  last_sign_in_at: Date
}

export interface SigningDevice {
  readonly tenant: string
  /** For a key that is not registered yet. */
  readonly device: string
  readonly jkt: string
  readonly name: string
  readonly platform: string
  readonly appVersion: string
  readonly operator: string
  readonly properties: readonly string[] | null
  readonly now: Date
}

/** A key is one device: the device of a known key is updated, and keeps its id. */
export function upsertDevice(
  device: SigningDevice,
): Statement<{ device_id: string; is_new: boolean }> {
  return sql<{ device_id: string; is_new: boolean }>`
    insert into sandbox.iam_device (tenant_id, device_id, jkt, name, platform, app_version,
      operator_id, property_ids, registered_at, last_sign_in_at)
    values (${device.tenant}::uuid, ${device.device}::uuid, ${device.jkt}, ${device.name},
      ${device.platform}, ${device.appVersion}, ${device.operator}::uuid,
      ${device.properties}::uuid[], ${device.now}::timestamptz, ${device.now}::timestamptz)
    on conflict (tenant_id, jkt) do update set name = excluded.name,
      platform = excluded.platform, app_version = excluded.app_version,
      operator_id = excluded.operator_id, property_ids = excluded.property_ids,
      last_sign_in_at = excluded.last_sign_in_at
    returning device_id, (xmax = 0) as is_new`
}

export interface DevicePage {
  readonly property: string | null
  readonly after: string | null
  readonly rows: number
}

export function selectDevices(tenant: string, page: DevicePage): Statement<DeviceRow> {
  return sql<DeviceRow>`
    select device_id, name, platform, app_version, jkt, operator_id, registered_at,
      last_sign_in_at
    from sandbox.iam_device
    where tenant_id = ${tenant}::uuid
      and (${page.after}::uuid is null or device_id > ${page.after}::uuid)
      and (${page.property}::uuid is null or property_ids is null
        or ${page.property}::uuid = any(property_ids))
    order by device_id limit ${page.rows}`
}
