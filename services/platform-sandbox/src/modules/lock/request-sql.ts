import { rawSql, type Statement, sql } from '@melmastoon/chassis/db'
import type {
  KeyState,
  LockAction,
  LockFailure,
  LockRequestState,
  LockVendor,
  RevokeReason,
} from '@melmastoon/upstream-contracts/lock'

/** The members that an action changes, and why. */
export interface KeyChange {
  readonly rooms?: readonly string[]
  readonly validUntil?: string
  readonly reason?: RevokeReason
}

/** What a vendor that withdraws its confirmation restores. */
export interface Undo {
  readonly rooms: readonly string[]
  readonly validUntil: string
  readonly state: KeyState
}

export interface RequestRow {
  readonly tenant_id: string
  readonly request_id: string
  readonly key_id: string
  readonly property_id: string
  /** That executes it; the key may be of a former one. */
  readonly vendor: LockVendor
  readonly action: LockAction
  readonly state: LockRequestState
  readonly failure_reason: LockFailure | null
  readonly vendor_code: string | null
  readonly vendor_latency_ms: number
  readonly change: KeyChange
  readonly undo: Undo | null
  readonly fingerprint: string
  readonly copies: number
  readonly is_forgotten: boolean
  readonly last_sequence: number
  readonly operator_id: string | null
  readonly causation_id: string | null
  readonly accepted_at: Date
  readonly changed_at: Date
}

const requestColumns = rawSql(`
  r.tenant_id, r.request_id, r.key_id, r.property_id, r.vendor, r.action, r.state,
  r.failure_reason, r.vendor_code, r.vendor_latency_ms, r.change, r.undo, r.fingerprint, r.copies, r.is_forgotten,
  r.last_sequence, r.operator_id, r.causation_id, r.accepted_at, r.changed_at`)

export function selectRequest(tenant: string, request: string): Statement<RequestRow> {
  return sql<RequestRow>`
    select ${requestColumns} from sandbox.lock_request r
    where r.tenant_id = ${tenant}::uuid and r.request_id = ${request}`
}

export interface NewRequest {
  readonly tenant: string
  readonly request: string
  readonly key: string
  readonly property: string
  readonly vendor: LockVendor
  readonly action: LockAction
  readonly state: LockRequestState
  readonly change: KeyChange
  readonly fingerprint: string
  readonly copies: number
  readonly isForgotten: boolean
  /** Null: it does not occupy the gateway. */
  readonly gatewayMs: number | null
  readonly operator: string | null
  readonly causation: string | null
}

/** No row when the id is in use. */
export function insertRequest(row: NewRequest): Statement<RequestRow> {
  return sql<RequestRow>`
    insert into sandbox.lock_request as r (tenant_id, request_id, key_id, property_id, vendor,
      action, state, change, fingerprint, copies, is_forgotten, gateway_until, operator_id,
      causation_id)
    values (${row.tenant}::uuid, ${row.request}, ${row.key}::uuid, ${row.property}::uuid,
      ${row.vendor}, ${row.action}, ${row.state}, ${row.change}::jsonb, ${row.fingerprint}, ${row.copies},
      ${row.isForgotten},
      clock_timestamp() + make_interval(secs => ${row.gatewayMs}::float8 / 1000),
      ${row.operator}::uuid, ${row.causation})
    on conflict (tenant_id, request_id) do nothing
    returning ${requestColumns}`
}

/** Commands that occupy the gateway now. */
export function countCommands(tenant: string, property: string): Statement<{ commands: number }> {
  return sql<{ commands: number }>`
    select count(*)::int as commands from sandbox.lock_request
    where tenant_id = ${tenant}::uuid and property_id = ${property}::uuid
      and state = 'accepted' and gateway_until > clock_timestamp()`
}

export interface RequestOutcome {
  readonly tenant: string
  readonly request: string
  readonly state: LockRequestState
  readonly failureReason: LockFailure | null
  readonly vendorCode: string | null
  readonly undo: Undo | null
  readonly sequence: number
}

/** Requires the lock of its key. */
export function settleRequest(outcome: RequestOutcome): Statement<RequestRow> {
  return sql<RequestRow>`
    update sandbox.lock_request as r set
      state = ${outcome.state}, failure_reason = ${outcome.failureReason},
      vendor_code = ${outcome.vendorCode}, undo = ${outcome.undo}::jsonb,
      last_sequence = ${outcome.sequence}, gateway_until = null, changed_at = clock_timestamp(),
      vendor_latency_ms = least(2147483647, round(
        extract(epoch from clock_timestamp() - r.accepted_at) * 1000))::int
    where r.tenant_id = ${outcome.tenant}::uuid and r.request_id = ${outcome.request}
    returning ${requestColumns}`
}

/** Open actions on a key that has been revoked. Requires the lock of the key. */
export function cancelOpenRequests(
  { tenant, key }: { readonly tenant: string; readonly key: string },
  revocation: string,
): Statement<RequestRow> {
  return sql<RequestRow>`
    update sandbox.lock_request as r set
      state = 'failed', failure_reason = 'cancelled_mid_flight', gateway_until = null,
      changed_at = clock_timestamp()
    where r.tenant_id = ${tenant}::uuid and r.key_id = ${key}::uuid and r.state = 'accepted'
      and r.request_id <> ${revocation}
    returning ${requestColumns}`
}

export interface RecentRequestRow extends RequestRow {
  readonly reservation_id: string
}

export function selectRecentRequests(rows: number): Statement<RecentRequestRow> {
  return sql<RecentRequestRow>`
    select ${requestColumns}, c.reservation_id
    from sandbox.lock_request r join sandbox.lock_credential c using (tenant_id, key_id)
    order by r.accepted_at desc, r.request_id limit ${rows}`
}
