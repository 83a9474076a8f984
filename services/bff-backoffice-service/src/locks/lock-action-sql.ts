import { rawSql, type SqlFragment, type Statement, sql } from '@melmastoon/chassis/db'
import {
  idToUuid,
  newId,
  type ProblemCode,
  type ReservationId,
  type RoomKeyId,
  type TenantId,
  uuidToId,
} from '@melmastoon/domain'
import type { LockVendor } from '@melmastoon/upstream-contracts/lock'
import {
  type LockActionId,
  type LockActionRecord,
  type LockActor,
  type LockCommand,
  type LockOutcome,
  type LockState,
  type NewLockAction,
  roomsOf,
  type TransitionSource,
} from './lock-action.ts'

/** Announces work of the reconciler. */
export const LOCKS_TOPIC = 'locks'

/** Work that is due later wakes nobody: the reconciler finds it with a look of its own. */
export function announceIfDue<R>(statement: SqlFragment<R>, delayMs: number): SqlFragment<R> {
  return delayMs > 0 ? statement : statement.announcing(LOCKS_TOPIC)
}

export interface LockActionRow {
  readonly tenant_id: string
  readonly action_id: string
  readonly property_id: string
  readonly reservation_id: ReservationId
  readonly operator_id: LockActor['operatorId']
  readonly device_id: LockActor['deviceId']
  readonly vendor: LockVendor
  readonly command: LockCommand
  readonly key_id: RoomKeyId | null
  readonly target_id: string | null
  readonly state: LockState
  readonly outcome: LockOutcome
  readonly error_code: ProblemCode | null
  readonly max_delay_seconds: number
  readonly occurred_at: Date
  readonly settled_at: Date | null
  readonly sent_seconds: number | null
  readonly age_seconds: number
  readonly tries: number
}

const COLUMNS = rawSql(`a.tenant_id, a.action_id, a.property_id, a.reservation_id, p.operator_id,
  p.device_id, p.vendor, a.command, a.key_id, a.target_id, a.state, p.outcome, p.error_code,
  a.max_delay_seconds, p.occurred_at, a.settled_at, a.tries,
  extract(epoch from now() - a.sent_at)::float8 as sent_seconds,
  extract(epoch from now() - a.created_at)::float8 as age_seconds`)
const JOINED = rawSql(`lock_action a join lock_action_proxy_audit p
  on p.tenant_id = a.tenant_id and p.id = a.action_id`)

export function toRecord(row: LockActionRow): LockActionRecord {
  return {
    tenantId: uuidToId('tnt', row.tenant_id),
    actionId: uuidToId('lap', row.action_id),
    propertyId: uuidToId('ppt', row.property_id),
    reservationId: row.reservation_id,
    actor: { operatorId: row.operator_id, deviceId: row.device_id },
    vendor: row.vendor,
    command: row.command,
    keyId: row.key_id,
    targetId: row.target_id === null ? null : uuidToId('lap', row.target_id),
    state: row.state,
    outcome: row.outcome,
    errorCode: row.error_code,
    maxDelaySeconds: row.max_delay_seconds,
    requestedAt: row.occurred_at,
    settledAt: row.settled_at,
    sentSeconds: row.sent_seconds,
    ageSeconds: row.age_seconds,
    tries: row.tries,
  }
}

export function selectAction(actionId: LockActionId): Statement<LockActionRow> {
  return sql<LockActionRow>`select ${COLUMNS} from ${JOINED}
    where a.action_id = ${idToUuid(actionId)}::uuid`
}

/** The last one: failed attempts of the same request may precede it. */
export function selectByRequestKey(requestKey: string): Statement<LockActionRow> {
  return sql<LockActionRow>`select ${COLUMNS} from ${JOINED}
    where a.request_key = ${requestKey} order by a.action_id desc limit 1`
}

export interface OfKey {
  readonly reservationId: ReservationId
  readonly keyId: RoomKeyId
}

/** Revocations of a key that are not settled. */
export function selectOpenRevocations({ reservationId, keyId }: OfKey): Statement<LockActionRow> {
  return sql<LockActionRow>`select ${COLUMNS} from ${JOINED}
    where a.reservation_id = ${reservationId} and a.key_id = ${keyId} and a.action = 'revoke'
      and a.settled_at is null`
}

/** Actions of one kind that are not settled. */
export function selectOpenActions(
  reservationId: ReservationId,
  action: LockCommand['action'],
): Statement<LockActionRow> {
  return sql<LockActionRow>`select ${COLUMNS} from ${JOINED}
    where a.reservation_id = ${reservationId} and a.action = ${action} and a.settled_at is null`
}

/** Keys of the reservation that other actions have issued. */
export function selectOtherKeys(
  { actionId }: ActionRef,
  reservationId: ReservationId,
): Statement<{ readonly key_id: RoomKeyId }> {
  return sql<{ readonly key_id: RoomKeyId }>`select key_id from lock_action
    where reservation_id = ${reservationId} and action = 'issue' and key_id is not null
      and action_id <> ${idToUuid(actionId)}::uuid`
}

/** A revocation takes the rooms of the other open actions on its key. */
export function takeRooms(action: NewLockAction): Statement<unknown> {
  const { reservationId, keyId, targetId } = action
  const target = targetId === undefined ? null : idToUuid(targetId)
  return sql`update lock_action_room set is_open = false
    where is_open and reservation_id = ${reservationId} and action_id in (
      select action_id from lock_action where reservation_id = ${reservationId}
        and settled_at is null and (key_id = ${keyId} or action_id = ${target}::uuid))`
}

export interface Scheduling {
  readonly nextMs: number
  /** Of the attempt that sends it at once; nobody has the lease of a queued action. */
  readonly leaseMs: number
}

/** The audit, the action, its rooms and the first transition, all or none. */
export function insertAction(
  action: NewLockAction,
  actionId: LockActionId,
  { nextMs, leaseMs }: Scheduling,
): Statement<unknown> {
  const { tenantId, reservationId, command, isQueued = false, targetId } = action
  const ids = sql`${idToUuid(tenantId)}::uuid, ${idToUuid(actionId)}::uuid`
  // A revocation is always taken, also where an action on another key has the room.
  const conflict = rawSql(command.action === 'revoke' ? 'on conflict do nothing' : '')
  const delayMs = isQueued ? 0 : nextMs
  const statement = sql`with audit as (${insertAudit(action, actionId)}),
    action as (insert into lock_action (tenant_id, action_id, property_id, reservation_id, action,
        state, request_key, key_id, target_id, command, max_delay_seconds, sent_at, next_at, lease_until)
      values (${ids}, ${idToUuid(action.propertyId)}::uuid, ${reservationId}, ${command.action},
        'requested', ${action.requestKey}, ${action.keyId},
        ${targetId === undefined ? null : idToUuid(targetId)}::uuid, ${JSON.stringify(command)}::jsonb,
        ${action.maxDelaySeconds}, case when ${isQueued}::boolean then null else now() end,
        now() + ${delayMs}::int * interval '1 millisecond',
        case when ${isQueued}::boolean then '-infinity'
          else now() + ${leaseMs}::int * interval '1 millisecond' end)),
    room as (insert into lock_action_room (tenant_id, action_id, reservation_id, room_id, is_open)
      select ${ids}, ${reservationId}, room, true
      from unnest(${[...roomsOf(command)]}::text[]) as room ${conflict})
    ${insertTransition({ tenantId, actionId }, { state: 'requested', source: 'request' })}`
  return announceIfDue(statement, delayMs)
}

function insertAudit(action: NewLockAction, actionId: LockActionId): SqlFragment {
  const { tenantId, propertyId, actor, reservationId, command, vendor, attestationId } = action
  return sql`insert into lock_action_proxy_audit (id, tenant_id, property_id, operator_id, device_id,
      reservation_id, action, vendor, outcome, mfa_attestation_id, upstream_request_id,
      upstream_latency_ms)
    values (${idToUuid(actionId)}::uuid, ${idToUuid(tenantId)}::uuid,
      ${idToUuid(propertyId)}::uuid, ${actor.operatorId}, ${actor.deviceId}, ${reservationId},
      ${command.action}, ${vendor}, 'pending', ${attestationId ?? null}, ${actionId}, 0)`
}

export interface ActionRef {
  readonly tenantId: TenantId
  readonly actionId: LockActionId
}

export interface Transition {
  readonly state: LockState
  readonly source: TransitionSource
  readonly sequence?: number | undefined
  readonly errorCode?: string | undefined
  /** Of a manual decision. */
  readonly decidedBy?: string | undefined
}

function insertTransition(
  { tenantId, actionId }: ActionRef,
  { state, source, sequence, errorCode, decidedBy }: Transition,
  isApplied: SqlFragment = sql`true`,
): SqlFragment {
  return sql`insert into lock_action_transition (id, tenant_id, action_id, state, source, is_applied,
      sequence, error_code, decided_by)
    select ${idToUuid(newId('evt'))}::uuid, ${idToUuid(tenantId)}::uuid,
      ${idToUuid(actionId)}::uuid, ${state}, ${source}, ${isApplied}, ${sequence ?? null}::int,
      ${errorCode ?? null}, ${decidedBy ?? null}`
}

export interface Settlement extends Transition {
  readonly state: 'succeeded' | 'failed'
  readonly latencyMs: number
  readonly keyId?: RoomKeyId | undefined
  /** When the reconciler looks at the key once more. */
  readonly checkMs?: number | undefined
}

export interface SettledRow {
  readonly is_applied: boolean
  /** Of the transition that this added. */
  readonly transition_id: string
}

/**
 * Settles an open action, once: the row of the audit decides. A later result is added to the
 * transitions and changes nothing else.
 */
export function settleAction(ref: ActionRef, result: Settlement): Statement<SettledRow> {
  const { state, keyId = null, checkMs, latencyMs } = result
  const outcome = state === 'succeeded' ? 'success' : 'failure'
  const id = idToUuid(ref.actionId)
  const nextAt =
    checkMs === undefined
      ? sql`null`
      : sql`now() + ${Math.round(checkMs)}::int * interval '1 millisecond'`
  const isApplied = sql`exists (select from settled)`
  return sql<SettledRow>`with settled as (
      update lock_action_proxy_audit set outcome = ${outcome},
        error_code = ${result.errorCode ?? null}, upstream_latency_ms = ${Math.round(latencyMs)}::int
      where id = ${id}::uuid and outcome in ('pending', 'unknown') returning id),
    changed as (update lock_action set state = ${state}, settled_at = now(),
        key_id = coalesce(${keyId}, key_id), next_at = ${nextAt},
        lease_until = '-infinity', tries = 0
      where action_id = (select id from settled) returning 1),
    freed as (update lock_action_room set is_open = false
      where action_id = (select id from settled) and is_open returning 1),
    noted as (${insertTransition(ref, result, isApplied)} returning id)
    select ${isApplied} as is_applied, id as transition_id from noted`
}

export interface ReportedRow {
  readonly state: LockState
  /** The highest of the other transitions. */
  readonly sequence: number
}

/**
 * A statement of its own: one that has waited for another transaction to settle the action still
 * has the snapshot of before.
 */
export function selectReported(ref: ActionRef, transitionId: string): Statement<ReportedRow> {
  const id = idToUuid(ref.actionId)
  return sql<ReportedRow>`select state, coalesce((select max(sequence)
      from lock_action_transition where action_id = ${id}::uuid and id <> ${transitionId}::uuid),
      0) as sequence
    from lock_action where action_id = ${id}::uuid`
}

/** Not settled yet; `unknown` stays, whatever is accepted afterwards. */
export function markAction(
  ref: ActionRef,
  transition: Transition & { readonly state: 'accepted' | 'unknown' },
): Statement<{ readonly is_applied: boolean }> {
  const id = idToUuid(ref.actionId)
  const { state } = transition
  const from = state === 'accepted' ? ['requested'] : ['requested', 'accepted']
  const isApplied = sql`exists (select from moved)`
  return sql<{ readonly is_applied: boolean }>`with moved as (
      update lock_action set state = ${state}
      where action_id = ${id}::uuid and state = any (${from}::text[]) returning action_id),
    known as (update lock_action_proxy_audit set outcome = 'unknown'
      where id = (select action_id from moved) and ${state === 'unknown'}::boolean
        and outcome = 'pending' returning 1),
    noted as (${insertTransition(ref, transition, isApplied)})
    select ${isApplied} as is_applied`
}

/** What became known about an action that is not done, and when the reconciler looks again. */
export function postponeAction(
  { actionId }: ActionRef,
  { keyId, nextMs }: { readonly keyId?: RoomKeyId | undefined; readonly nextMs: number },
): Statement<unknown> {
  const statement = sql`update lock_action set key_id = coalesce(key_id, ${keyId ?? null}),
      lease_until = '-infinity', next_at = now() + ${Math.round(nextMs)}::int * interval '1 millisecond'
    where action_id = ${idToUuid(actionId)}::uuid and next_at is not null`
  return announceIfDue(statement, nextMs)
}

/** The check of a settled action is done. */
export function endChecks({ actionId }: ActionRef): Statement<unknown> {
  return sql`update lock_action set next_at = null, lease_until = '-infinity'
    where action_id = ${idToUuid(actionId)}::uuid and settled_at is not null`
}

export interface Sending {
  readonly leaseMs: number
  /** Otherwise the lease must have ended. */
  readonly holdsLease: boolean
  readonly keyId: RoomKeyId | null
}

/**
 * A command is about to be sent (again): its maximum delay begins now. No row: the action is
 * settled, or another attempt has the lease.
 */
export function noteSending(
  { actionId }: ActionRef,
  { leaseMs, holdsLease, keyId }: Sending,
): Statement<LockActionRow> {
  return sql<LockActionRow>`with a as (update lock_action set sent_at = now(),
        key_id = coalesce(key_id, ${keyId}),
        lease_until = now() + ${leaseMs}::int * interval '1 millisecond'
      where action_id = ${idToUuid(actionId)}::uuid and settled_at is null
        and (${holdsLease}::boolean or lease_until <= now())
      returning *)
    select ${COLUMNS} from a join lock_action_proxy_audit p
      on p.tenant_id = a.tenant_id and p.id = a.action_id`
}

export interface DueRef {
  readonly tenant_id: string
  readonly action_id: string
}

/** Of all tenants. */
export function selectDueActions(limit: number): Statement<DueRef> {
  return sql<DueRef>`select tenant_id, action_id from lock_action
    where next_at <= now() and lease_until <= now() order by next_at limit ${limit}`
}

/** Null: another process works on it, or it is not due any more. */
export function claimAction(actionId: LockActionId, leaseMs: number): Statement<LockActionRow> {
  return sql<LockActionRow>`with a as (update lock_action set tries = tries + 1,
        lease_until = now() + ${leaseMs}::int * interval '1 millisecond'
      where action_id = ${idToUuid(actionId)}::uuid and next_at <= now() and lease_until <= now()
      returning *)
    select ${COLUMNS} from a join lock_action_proxy_audit p
      on p.tenant_id = a.tenant_id and p.id = a.action_id`
}

export interface TransitionRow {
  readonly at: Date
  readonly state: LockState
  readonly source: TransitionSource
  readonly is_applied: boolean
  readonly sequence: number | null
  readonly error_code: string | null
  readonly decided_by: string | null
}

export function selectTransitions(actionId: LockActionId, limit: number): Statement<TransitionRow> {
  return sql<TransitionRow>`select at, state, source, is_applied, sequence, error_code, decided_by
    from lock_action_transition where action_id = ${idToUuid(actionId)}::uuid
    order by at, id limit ${limit}`
}

export interface LockHealth {
  readonly open: number
  readonly oldestSeconds: number
}

export function selectHealth(): Statement<LockHealth> {
  return sql<LockHealth>`select count(*)::int as open,
      coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as "oldestSeconds"
    from lock_action where settled_at is null`
}

/** Open for longer than this, oldest first. */
export function selectOpenLonger(seconds: number, limit: number): Statement<LockActionRow> {
  return sql<LockActionRow>`select ${COLUMNS} from ${JOINED}
    where a.settled_at is null and a.created_at < now() - ${seconds}::int * interval '1 second'
    order by a.created_at limit ${limit}`
}
