import { rawSql, type Statement, sql } from '@melmastoon/chassis/db'
import type { KeyKind, KeyState, LockVendor } from '@melmastoon/upstream-contracts/lock'

export interface CredentialRow {
  readonly tenant_id: string
  readonly key_id: string
  readonly property_id: string
  readonly reservation_id: string
  readonly rooms: readonly string[]
  readonly kind: KeyKind
  readonly state: KeyState
  readonly vendor: LockVendor
  readonly valid_from: Date
  readonly valid_until: Date
  readonly request_id: string | null
  readonly version: number
  readonly updated_at: Date
}

const credentialColumns = rawSql(`
  c.tenant_id, c.key_id, c.property_id, c.reservation_id, c.rooms, c.kind, c.state, c.vendor,
  c.valid_from, c.valid_until, c.request_id, c.version, c.updated_at`)

export interface KeyRef {
  readonly tenant: string
  readonly key: string
}

export function selectCredential({ tenant, key }: KeyRef): Statement<CredentialRow> {
  return sql<CredentialRow>`
    select ${credentialColumns} from sandbox.lock_credential c
    where c.tenant_id = ${tenant}::uuid and c.key_id = ${key}::uuid`
}

/** Locked until the end of the transaction: changes of one key are serialized. */
export function lockCredential({ tenant, key }: KeyRef): Statement<CredentialRow> {
  return sql<CredentialRow>`
    select ${credentialColumns} from sandbox.lock_credential c
    where c.tenant_id = ${tenant}::uuid and c.key_id = ${key}::uuid
    for no key update`
}

/** Who made a version, and why. */
export interface VersionCause {
  readonly operator: string | null
  readonly causation: string | null
}

export interface NewCredential extends KeyRef {
  readonly property: string
  readonly reservation: string
  readonly rooms: readonly string[]
  readonly kind: string
  readonly state: KeyState
  readonly vendor: string
  readonly validFrom: string
  readonly validUntil: string
  readonly request: string | null
}

/** With its first version in the history. */
export function insertCredential(row: NewCredential, by: VersionCause): Statement<CredentialRow> {
  return sql<CredentialRow>`
    with history as (
      insert into sandbox.lock_credential_version
        (tenant_id, key_id, version, state, operator_id, causation_id)
      values (${row.tenant}::uuid, ${row.key}::uuid, 1, ${row.state}, ${by.operator}::uuid,
        ${by.causation}))
    insert into sandbox.lock_credential as c (tenant_id, key_id, property_id, reservation_id,
      rooms, kind, state, vendor, valid_from, valid_until, request_id)
    values (${row.tenant}::uuid, ${row.key}::uuid, ${row.property}::uuid,
      ${row.reservation}::uuid, ${row.rooms}::uuid[], ${row.kind}, ${row.state}, ${row.vendor},
      ${row.validFrom}::timestamptz, ${row.validUntil}::timestamptz, ${row.request})
    returning ${credentialColumns}`
}

export interface CredentialUpdate extends KeyRef {
  readonly state: KeyState
  readonly rooms: readonly string[]
  readonly validUntil: Date | string
}

/** A new version, with its row in the history. */
export function updateCredential(
  change: CredentialUpdate,
  by: VersionCause,
): Statement<CredentialRow> {
  return sql<CredentialRow>`
    with changed as (
      update sandbox.lock_credential as c set
        state = ${change.state}, rooms = ${change.rooms}::uuid[],
        valid_until = ${change.validUntil}::timestamptz,
        version = c.version + 1, updated_at = clock_timestamp()
      where c.tenant_id = ${change.tenant}::uuid and c.key_id = ${change.key}::uuid
      returning ${credentialColumns}),
    history as (
      insert into sandbox.lock_credential_version
        (tenant_id, key_id, version, state, at, operator_id, causation_id)
      select tenant_id, key_id, version, state, updated_at, ${by.operator}::uuid, ${by.causation}
      from changed)
    select * from changed`
}

export interface VersionRow {
  readonly version: number
  readonly state: KeyState
  readonly at: Date
  readonly operator_id: string | null
  readonly causation_id: string | null
}

export function selectVersions({ tenant, key }: KeyRef, rows: number): Statement<VersionRow> {
  return sql<VersionRow>`
    select version, state, at, operator_id, causation_id from sandbox.lock_credential_version
    where tenant_id = ${tenant}::uuid and key_id = ${key}::uuid
    order by version limit ${rows}`
}

export interface CredentialFilter {
  readonly tenant: string
  readonly property: string
  readonly reservation: string | null
  readonly room: string | null
  readonly state: string | null
  /** Keys before this one; null from the newest. */
  readonly before: string | null
  readonly rows: number
}

/** Newest first: ids grow with time. */
export function selectCredentials(filter: CredentialFilter): Statement<CredentialRow> {
  return sql<CredentialRow>`
    select ${credentialColumns} from sandbox.lock_credential c
    where c.tenant_id = ${filter.tenant}::uuid and c.property_id = ${filter.property}::uuid
      and (${filter.reservation}::uuid is null or c.reservation_id = ${filter.reservation}::uuid)
      and (${filter.room}::uuid is null or c.rooms @> array[${filter.room}::uuid])
      and (${filter.state}::text is null or c.state = ${filter.state})
      and (${filter.before}::uuid is null or c.key_id < ${filter.before}::uuid)
    order by c.key_id desc limit ${filter.rows}`
}

/** The keys of a stay that open or may open a room. */
export function selectOpenKeys(tenant: string, reservation: string): Statement<CredentialRow> {
  return sql<CredentialRow>`
    select ${credentialColumns} from sandbox.lock_credential c
    where c.tenant_id = ${tenant}::uuid and c.reservation_id = ${reservation}::uuid
      and c.state in ('requested', 'pending', 'active', 'suspended')
    order by c.key_id`
}

/** The keys that the fullest of these rooms stores. */
export function countStoredKeys(
  tenant: string,
  rooms: readonly string[],
): Statement<{ keys: number }> {
  return sql<{ keys: number }>`
    select coalesce(max(stored.keys), 0)::int as keys from (
      select count(*) as keys
      from unnest(${rooms}::uuid[]) as r (room_id) join sandbox.lock_credential c
        on c.tenant_id = ${tenant}::uuid and c.rooms @> array[r.room_id]
        and c.state in ('requested', 'pending', 'active')
      group by r.room_id) stored`
}
