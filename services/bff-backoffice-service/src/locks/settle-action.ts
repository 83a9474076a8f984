import type { Tx } from '@melmastoon/chassis/db'
import { appendEvents } from '@melmastoon/chassis/outbox'
import type { ProblemCode, RoomKeyId } from '@melmastoon/domain'
import type { EventContext } from '@melmastoon/events'
import { lockActionSettled } from '../events/lock-events.ts'
import type { LockActionRecord, LockState, TransitionSource } from './lock-action.ts'
import { markAction, postponeAction, selectReported, settleAction } from './lock-action-sql.ts'
import { insertAlert, subjectOf } from './lock-alert-sql.ts'
import type { LockDeps } from './lock-deps.ts'
import { eventPayload } from './lock-event-payload.ts'
import { nextLookMs } from './lock-schedule.ts'

export type SettleDeps = Pick<LockDeps, 'registry' | 'lockMetrics' | 'lockChanges' | 'lockControls'>

/** A final result, from a response, an event, the reconciler or an operator. */
export interface LockResult {
  readonly state: 'succeeded' | 'failed'
  readonly source: TransitionSource
  readonly errorCode?: ProblemCode | undefined
  readonly keyId?: RoomKeyId | undefined
  readonly latencyMs: number
  readonly sequence?: number | undefined
  /** Of a manual decision. */
  readonly decidedBy?: string | undefined
}

export interface Settling {
  readonly action: LockActionRecord
  readonly result: LockResult
  readonly cause: EventContext
}

/**
 * Settles the action, unless another report was first. One that contradicts the first and is newer
 * changes nothing either, but staff have to know.
 * @returns whether this was the first
 */
export async function settle(deps: SettleDeps, tx: Tx, settling: Settling): Promise<boolean> {
  const { action, result } = settling
  const isIssued = action.command.action === 'issue' && result.state === 'succeeded'
  // Who decides manually has looked at the lock, after a day without a report.
  const isChecked = isIssued && result.source !== 'manual'
  const checkMs = isChecked ? nextLookMs(deps.lockControls, 0) : undefined
  const [row] = await tx.query(settleAction(action, { ...result, checkMs }))
  if (row === undefined) throw new TypeError('a transition is missing')
  if (!row.is_applied) {
    const [reported] = await tx.query(selectReported(action, row.transition_id))
    if (reported === undefined) throw new TypeError('an action is missing')
    const isNewer = (result.sequence ?? 0) > reported.sequence
    if (isNewer && reported.state !== result.state) await raise(tx, action)
    return false
  }
  await appendEvents(tx, [settledEvent(deps, settling)])
  tx.onCommit(() => {
    const outcome = result.state === 'succeeded' ? 'success' : 'failure'
    deps.lockMetrics.count(outcome, action.vendor)
    report(deps, action, result.state)
  })
  return true
}

export interface OpenReport {
  readonly action: LockActionRecord
  readonly state: 'accepted' | 'unknown'
  readonly source: TransitionSource
  readonly keyId?: RoomKeyId | undefined
  readonly errorCode?: ProblemCode | undefined
}

/** The lock service has accepted the command, or nobody knows what became of it. */
export async function mark(
  deps: SettleDeps,
  tx: Tx,
  { action, keyId, ...transition }: OpenReport,
): Promise<void> {
  const [row] = await tx.query(markAction(action, transition))
  const nextMs = nextLookMs(deps.lockControls, action.tries)
  await tx.query(postponeAction(action, { keyId, nextMs }))
  if (row?.is_applied !== true) return
  tx.onCommit(() => {
    if (transition.state === 'unknown') deps.lockMetrics.count('unknown', action.vendor)
    report(deps, action, transition.state)
  })
}

async function raise(tx: Tx, action: LockActionRecord): Promise<void> {
  const { tenantId, propertyId, reservationId, actionId } = action
  const place = { tenantId, propertyId, reservationId }
  await tx.query(insertAlert({ ...place, subjectId: subjectOf(actionId), kind: 'contradiction' }))
}

function settledEvent({ registry }: SettleDeps, { action, result, cause }: Settling) {
  const payload = {
    ...eventPayload(action),
    outcome: result.state === 'succeeded' ? ('success' as const) : ('failure' as const),
    source: result.source,
    errorCode: result.errorCode ?? null,
  }
  const staff = { ...action.actor, propertyId: action.propertyId }
  return registry.build(lockActionSettled.subject, payload, { ...cause, staff })
}

function report({ lockChanges }: SettleDeps, action: LockActionRecord, state: LockState): void {
  const { tenantId, propertyId, reservationId, actionId, command } = action
  lockChanges.report({
    tenantId,
    propertyId,
    reservationId,
    actionId,
    state,
    action: command.action,
  })
}
