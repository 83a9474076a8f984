import { type Statement, sql } from '../../db/index.ts'
import type { StoredPayload } from '../stored-response.ts'
import { isRow, isTakeable, milliseconds, type RowScope, tenantUuid } from './row-scope.ts'

export interface ClaimInput extends RowScope {
  readonly requestHash: string
  readonly hashVersion: number
  readonly leaseMs: number
  readonly ttlMs: number
  readonly deviceId: string | null
  readonly operatorId: string | null
}

export interface ClaimedRow {
  readonly claimed: true
  readonly attempt: number
  readonly generation: string
  readonly recovery_point: string
  readonly recovery_data: unknown
}

export interface ExistingRow {
  readonly claimed: false
  readonly request_hash: string
  readonly hash_version: number
  readonly lapsed: boolean
  readonly remaining_ms: number
  readonly status_code: number | null
  readonly response: StoredPayload | null
}

/**
 * Claims the row or returns the one in the way. No row at all means that another claim committed
 * after this statement's snapshot was taken: run it again. A row that cannot be taken is only read,
 * never locked, so a replay writes nothing.
 */
export function claimRow(input: ClaimInput): Statement<ClaimedRow | ExistingRow> {
  const { table, requestHash, hashVersion, leaseMs, ttlMs } = input
  return sql<ClaimedRow | ExistingRow>`
    with claimed as (
      insert into ${table} as i (tenant_id, key, request_hash, hash_version, device_id,
        operator_id, lease_until, expires_at)
      select ${tenantUuid(input.tenantId)}::uuid, ${input.digest}, ${requestHash},
        ${hashVersion}::smallint, ${input.deviceId}, ${input.operatorId},
        now() + ${milliseconds(leaseMs)}, now() + ${milliseconds(ttlMs)}
      where not exists (
        select from ${table} i
        where ${isRow(input)} and not ${isTakeable(hashVersion, requestHash)})
      on conflict (tenant_id, key) do update set
        request_hash = excluded.request_hash,
        hash_version = excluded.hash_version,
        state = 'in_progress',
        attempt = i.attempt + 1,
        lease_until = excluded.lease_until,
        recovery_point = case when i.expires_at <= now() then 'started' else i.recovery_point end,
        recovery_data = case when i.expires_at <= now() then '{}' else i.recovery_data end,
        response = null,
        status_code = null,
        device_id = excluded.device_id,
        operator_id = excluded.operator_id,
        created_at = case when i.expires_at <= now() then now() else i.created_at end,
        expires_at = excluded.expires_at
      where ${isTakeable(hashVersion, requestHash)}
      returning attempt, created_at, recovery_point, recovery_data)
    select true as claimed, attempt, created_at::text as generation, recovery_point, recovery_data,
      null as request_hash, null::smallint as hash_version, null::boolean as lapsed,
      null::bigint as remaining_ms, null::int as status_code, null::jsonb as response
    from claimed
    union all
    select false, null, null, null, null, i.request_hash, i.hash_version, i.lease_until <= now(),
      (extract(epoch from i.expires_at - now()) * 1000)::bigint, i.status_code, i.response
    from ${table} i where ${isRow(input)} and not exists (select from claimed)`
}
