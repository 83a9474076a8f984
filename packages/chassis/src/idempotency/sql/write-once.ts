import { rawSql, type SqlFragment, type Statement, sql } from '../../db/index.ts'
import type { StoredPayload } from '../stored-response.ts'
import { type RowScope, tenantUuid } from './row-scope.ts'

export interface Effect {
  readonly effect: SqlFragment
  readonly events: SqlFragment | null
}

export interface WriteOnceInput extends RowScope, Effect {
  readonly requestHash: string
  readonly hashVersion: number
  readonly ttlMs: number
  readonly deviceId: string | null
  readonly operatorId: string | null
  readonly status: number
  readonly payload: StoredPayload
}

/** Named in the error by which Postgres undoes the statement; no such setting exists. */
export const NO_EFFECT_SETTING = 'idempotency.effect_matched_nothing'

/** The effect touched no row: a key must not be spent on nothing, so the claim is undone too. */
const RESULT = `select case when not exists (select from effect)
  then current_setting('${NO_EFFECT_SETTING}') end from claimed`

const WITHOUT_EVENTS = rawSql(`) ${RESULT}`)
const EVENTS_BEGIN = rawSql('), events as (')
const EVENTS_END = rawSql(`) ${RESULT}`)

/**
 * Claim, effect, events and stored result in one statement, hence one snapshot and one commit. It
 * knows fresh keys only and returns no row for any other: what it does not do, nobody pays for.
 */
export function writeOnce(input: WriteOnceInput): Statement<unknown> {
  return sql`with claimed as (
      insert into ${input.table} (tenant_id, key, request_hash, hash_version, device_id,
        operator_id, state, lease_until, recovery_point, status_code, response, expires_at)
      values (${tenantUuid(input.tenantId)}, ${input.digest}, ${input.requestHash},
        ${input.hashVersion}, ${input.deviceId}, ${input.operatorId}, 'completed', now(),
        'finished', ${input.status}, ${JSON.stringify(input.payload)},
        now() + ${input.ttlMs} * interval '1 millisecond')
      on conflict (tenant_id, key) do nothing
      returning 1), effect as (${input.effect}${restOf(input)}`
}

/** The same effect under a claim that is held already. */
export function writeClaimed(input: Effect): Statement<unknown> {
  return sql`with claimed as (select 1), effect as (${input.effect}${restOf(input)}`
}

/** `effect` and `events` select from `claimed`, which has one row or none. */
function restOf({ events }: Effect): SqlFragment {
  return events === null ? WITHOUT_EVENTS : sql`${EVENTS_BEGIN}${events}${EVENTS_END}`
}
