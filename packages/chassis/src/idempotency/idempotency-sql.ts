import { idToUuid, type TenantId } from '@melmastoon/domain'
import type { OutboxEvent } from '@melmastoon/events'
import { joinSql, rawSql, type SqlFragment, type Statement, sql } from '../db/index.ts'
import { appendEventsFragment } from '../outbox/index.ts'
import type { Sealed } from './record-protection.ts'
import type { StoredPayload } from './stored-response.ts'

/** Which row of which table: the two columns of `ux_idempotency_scope`. */
export interface RowScope {
  readonly table: SqlFragment
  readonly tenantId: TenantId | null
  /** `scopeKey` of the scope. */
  readonly key: string
}

/** What a new row records about its request. */
export interface RequestRow extends RowScope {
  readonly requestHash: string
  readonly hashVersion: number
  readonly ttlMs: number
  readonly deviceId: string | null
  readonly operatorId: string | null
}

/** One generation of a key held by one attempt: every write after the claim is fenced by both. */
export interface RowFence {
  readonly attempt: number
  /** `created_at` as text, in full precision: attempt numbers restart once a row was pruned. */
  readonly generation: string
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
  readonly lease_ended: boolean
  readonly expired: boolean
  readonly remaining_ms: number
  readonly status_code: number | null
  readonly response: StoredPayload | null
}

const EXISTING_COLUMNS = rawSql(`i.request_hash, i.hash_version,
  i.lease_until <= now() as lease_ended, i.expires_at <= now() as expired,
  (extract(epoch from i.expires_at - now()) * 1000)::bigint as remaining_ms,
  i.status_code, i.response`)

/**
 * Claims the row or returns the one that exists. No row at all means that another claim committed
 * after this statement's snapshot was taken: run it again. A row that cannot be claimed is only
 * read, never locked, so a replay writes nothing.
 */
export function claimRow(
  row: RequestRow & { readonly leaseMs: number },
): Statement<ClaimedRow | ExistingRow> {
  const { table, requestHash, hashVersion } = row
  return sql<ClaimedRow | ExistingRow>`
    with claimed as (
      insert into ${table} as i (tenant_id, key, request_hash, hash_version, device_id,
        operator_id, lease_until, expires_at)
      select ${tenantUuid(row.tenantId)}::uuid, ${row.key}, ${requestHash},
        ${hashVersion}::smallint, ${row.deviceId}, ${row.operatorId},
        now() + ${milliseconds(row.leaseMs)}, now() + ${milliseconds(row.ttlMs)}
      where not exists (
        select from ${table} i
        where ${isRow(row)} and not ${isClaimable(hashVersion, requestHash)})
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
      where ${isClaimable(hashVersion, requestHash)}
      returning attempt, created_at, recovery_point, recovery_data)
    select true as claimed, attempt, created_at::text as generation, recovery_point, recovery_data,
      null as request_hash, null::smallint as hash_version, null::boolean as lease_ended,
      null::boolean as expired, null::bigint as remaining_ms, null::int as status_code,
      null::jsonb as response
    from claimed
    union all
    select false, null, null, null, null, ${EXISTING_COLUMNS}
    from ${table} i where ${isRow(row)} and not exists (select from claimed)`
}

export function readRow(row: RowScope): Statement<ExistingRow> {
  return sql<ExistingRow>`select ${EXISTING_COLUMNS} from ${row.table} i where ${isRow(row)}`
}

/** Also renews the lease: the attempt is known to be alive. No row returned: the claim was lost. */
export function checkpointRow(
  row: RowScope,
  fence: RowFence,
  to: { readonly point: string; readonly data: Sealed; readonly leaseMs: number },
): Statement<{ attempt: number }> {
  return sql<{ attempt: number }>`update ${row.table} i
    set recovery_point = ${to.point}, recovery_data = ${JSON.stringify(to.data)}::jsonb,
      lease_until = clock_timestamp() + ${milliseconds(to.leaseMs)}
    where ${isHeldBy(row, fence)}
    returning i.attempt`
}

/** Ends the lease, so that a retry need not wait; recovery point and attempt stay. */
export function abandonRow(row: RowScope, fence: RowFence): Statement<unknown> {
  return sql`update ${row.table} i set lease_until = now() where ${isHeldBy(row, fence)}`
}

export interface Completion {
  readonly status: number
  readonly payload: Sealed
}

/** Inserts the row with its result. A key that exists in any state yields no row. */
export function insertCompleted(row: RequestRow, result: Completion): SqlFragment {
  return sql`insert into ${row.table} (tenant_id, key, request_hash, hash_version, device_id,
        operator_id, state, lease_until, recovery_point, status_code, response, expires_at)
      values (${tenantUuid(row.tenantId)}, ${row.key}, ${row.requestHash},
        ${row.hashVersion}, ${row.deviceId}, ${row.operatorId}, 'completed', now(),
        'finished', ${result.status}, ${JSON.stringify(result.payload)},
        now() + ${milliseconds(row.ttlMs)})
      on conflict (tenant_id, key) do nothing
      returning 1`
}

const ALWAYS = sql`true`

/** Completes a claimed row. No row returned: a later attempt holds the claim. */
export function completeRow(
  row: RowScope,
  fence: RowFence,
  { onlyIf = ALWAYS, ...result }: Completion & { readonly onlyIf?: SqlFragment },
): SqlFragment {
  return sql`update ${row.table} i
    set state = 'completed', status_code = ${result.status},
      response = ${JSON.stringify(result.payload)}::jsonb, lease_until = now()
    where ${isHeldBy(row, fence)} and ${onlyIf}
    returning 1`
}

/** The parts of a mutation that are written together with the result. */
export interface MutationSql {
  readonly effect?: SqlFragment | undefined
  readonly furtherEffects?: readonly SqlFragment[] | undefined
  readonly events?: readonly OutboxEvent[] | undefined
}

/** Named in the error by which Postgres undoes the statement; no such setting exists. */
export const NO_EFFECT_SETTING = 'idempotency.effect_matched_nothing'

const BEGIN = rawSql('with claimed as (')
const DONE = rawSql(') select 1 from claimed')
/** The effect touched no row: the key must not be used up, so the claim is undone too. */
const DONE_WITH_EFFECT = rawSql(`) select case when not exists (select from effect)
  then current_setting('${NO_EFFECT_SETTING}') end from claimed`)
const EFFECT = rawSql('), effect as (')
const EVENTS = rawSql('), events as (')
const IF_CLAIMED = sql`exists (select from claimed)`

/**
 * Result, effects and events in one statement, with one snapshot and one commit. `claimed` is one
 * of the two fragments above and has one row or none; everything else selects from it, so neither a
 * replay nor an attempt that lost its claim writes anything.
 */
export function mutationStatement(
  claimed: SqlFragment,
  { effect, furtherEffects = [], events = [] }: MutationSql,
): Statement<unknown> {
  const parts = [BEGIN, claimed]
  if (effect !== undefined) parts.push(EFFECT, effect)
  for (const [index, further] of furtherEffects.entries()) {
    parts.push(rawSql(`), effect_${index + 2} as (`), further)
  }
  if (events.length > 0) parts.push(EVENTS, appendEventsFragment(events, { onlyIf: IF_CLAIMED }))
  parts.push(effect === undefined ? DONE : DONE_WITH_EFFECT)
  return joinSql(parts, '')
}

/** All rows of one caller's key for any operation: `scopeKey` begins with `callerKey`. */
export function readByCallerKey(
  row: Omit<RowScope, 'key'>,
  callerKey: string,
): Statement<{ key: string; status_code: number | null }> {
  return sql<{ key: string; status_code: number | null }>`select i.key, i.status_code
    from ${row.table} i
    where ${isTenant(row.tenantId)} and i.key > ${`${callerKey}.`} and i.key < ${`${callerKey}/`}
      and (i.expires_at > now() or i.lease_until > now())
    order by i.key`
}

/**
 * Removes rows that already count as absent. The row locks are taken before deleting and skip rows
 * a claim is working on, so neither waits for the other and a claim is never deleted (IDEM-24).
 */
export function pruneIdempotency(limit: number): Statement<{ pruned: number }> {
  return sql<{ pruned: number }>`
    with gone as (
      delete from idempotency where ctid = any (array(
        select ctid from idempotency
        where expires_at <= now() and (state = 'completed' or lease_until <= now())
        limit ${limit} for update skip locked))
      returning 1)
    select count(*)::int as pruned from gone`
}

function tenantUuid(tenantId: TenantId | null): string | null {
  return tenantId === null ? null : idToUuid(tenantId)
}

/** `is not distinct from` would not use the index. */
function isTenant(tenantId: TenantId | null): SqlFragment {
  return tenantId === null ? sql`i.tenant_id is null` : sql`i.tenant_id = ${idToUuid(tenantId)}`
}

function isRow({ tenantId, key }: RowScope): SqlFragment {
  return sql`${isTenant(tenantId)} and i.key = ${key}`
}

function isHeldBy(row: RowScope, fence: RowFence): SqlFragment {
  return sql`${isRow(row)} and i.state = 'in_progress' and i.attempt = ${fence.attempt}
    and i.created_at = ${fence.generation}::timestamptz`
}

function milliseconds(value: number): SqlFragment {
  return sql`${value} * interval '1 millisecond'`
}

/**
 * Whether a row may be claimed although it exists: an expired generation counts as absent, and an
 * unfinished one is resumed by the same request once its lease has ended. A live lease is never
 * taken over, not even past the expiry (IDEM-24).
 */
function isClaimable(hashVersion: number, requestHash: string): SqlFragment {
  return sql`case i.state
    when 'completed' then i.expires_at <= now()
    else i.lease_until <= now() and (i.expires_at <= now()
      or (i.hash_version = ${hashVersion} and i.request_hash = ${requestHash}))
  end`
}
