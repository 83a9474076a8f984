import { type SqlFragment, type Statement, sql } from '../../db/index.ts'
import type { StoredPayload } from '../stored-response.ts'
import type { ExistingRow } from './claim-row.ts'
import { isRow, isTakeable, milliseconds, type RowScope, tenantUuid } from './row-scope.ts'

export interface WriteOnceInput extends RowScope {
  readonly requestHash: string
  readonly hashVersion: number
  readonly ttlMs: number
  readonly deviceId: string | null
  readonly operatorId: string | null
  readonly status: number
  readonly payload: StoredPayload
  readonly effect: SqlFragment
  readonly events: SqlFragment | null
}

export interface WrittenRow {
  readonly claimed: true
}

/** Named in the error by which Postgres undoes the statement; no such setting exists. */
export const NO_EFFECT_SETTING = 'idempotency.effect_matched_nothing'

/**
 * Claim, effect, events and stored result in one statement, hence one snapshot and one commit.
 * `effect` and `events` select from `claimed`, which has one row or none. An effect that touches no
 * row undoes the claim with it: a key must not be spent on nothing.
 */
export function writeOnce(input: WriteOnceInput): Statement<WrittenRow | ExistingRow> {
  const { table, requestHash, hashVersion } = input
  const events = input.events === null ? sql`` : sql`, events as (${input.events})`
  return sql<WrittenRow | ExistingRow>`
    with claimed as (
      insert into ${table} as i (tenant_id, key, request_hash, hash_version, device_id,
        operator_id, state, lease_until, recovery_point, status_code, response, expires_at)
      select ${tenantUuid(input.tenantId)}::uuid, ${input.digest}, ${requestHash},
        ${hashVersion}::smallint, ${input.deviceId}, ${input.operatorId}, 'completed', now(),
        'finished', ${input.status}::int, ${JSON.stringify(input.payload)}::jsonb,
        now() + ${milliseconds(input.ttlMs)}
      where not exists (
        select from ${table} i where ${isRow(input)} and not ${isTakeable(hashVersion, requestHash)})
      on conflict (tenant_id, key) do update set
        request_hash = excluded.request_hash,
        hash_version = excluded.hash_version,
        state = 'completed',
        attempt = i.attempt + 1,
        lease_until = excluded.lease_until,
        recovery_point = 'finished',
        recovery_data = '{}',
        response = excluded.response,
        status_code = excluded.status_code,
        device_id = excluded.device_id,
        operator_id = excluded.operator_id,
        created_at = case when i.expires_at <= now() then now() else i.created_at end,
        expires_at = excluded.expires_at
      where ${isTakeable(hashVersion, requestHash)}
      returning 1),
    effect as (${input.effect})${events}
    select true as claimed, null as request_hash, null::smallint as hash_version,
      null::boolean as lapsed, null::bigint as remaining_ms, null::int as status_code,
      null::jsonb as response,
      case when not exists (select from effect) then current_setting(${NO_EFFECT_SETTING}) end
    from claimed
    union all
    select false, i.request_hash, i.hash_version, i.lease_until <= now(),
      (extract(epoch from i.expires_at - now()) * 1000)::bigint, i.status_code, i.response, null
    from ${table} i where ${isRow(input)} and not exists (select from claimed)`
}
