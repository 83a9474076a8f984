import { asAbsent } from '@melmastoon/bff/upstreams'
import type { RoomKeyId } from '@melmastoon/domain'
import type { KeyCredential } from '@melmastoon/upstream-contracts/lock'
import { claimSending } from './claim-sending.ts'
import { type Finding, findOutcome, listOwnKeys } from './find-outcome.ts'
import { isOpen, type LockActionId, type LockActionRecord } from './lock-action.ts'
import {
  claimAction,
  endChecks,
  postponeAction,
  selectAction,
  toRecord,
} from './lock-action-sql.ts'
import { insertAlert, type LockAlertKind, subjectOf } from './lock-alert-sql.ts'
import type { LockCall, LockDeps } from './lock-deps.ts'
import { ALERT_AFTER_SECONDS, LEASE_MS, MANUAL_AFTER_SECONDS, nextLookMs } from './lock-schedule.ts'
import { queueRevocation } from './queue-revocation.ts'
import { recordResult } from './record-response.ts'
import { sendCommand } from './send-command.ts'
import { type LockResult, settle } from './settle-action.ts'

/** One look at an action that is due. A failure leaves it as it was, until the next look. */
export async function reconcileAction(
  deps: LockDeps,
  ref: Pick<LockActionRecord, 'tenantId' | 'actionId'>,
  call: LockCall,
): Promise<void> {
  const { tenantId, actionId } = ref
  const [row] = await deps.db.tenantQuery(tenantId, claimAction(actionId, LEASE_MS), call)
  if (row === undefined) return
  const action = toRecord(row)
  try {
    await look(deps, action, call)
  } catch (error) {
    await postpone(deps, { action }, call)
    throw error
  }
}

async function look(deps: LockDeps, action: LockActionRecord, call: LockCall): Promise<void> {
  if (!isOpen(action)) return await checkCopies(deps, action, call)
  if (action.ageSeconds > ALERT_AFTER_SECONDS) await raise(deps, { action, kind: 'unknown' }, call)
  if (action.sentSeconds === null) return await sendQueued(deps, action, call)
  const finding = await findOutcome(deps, action, call)
  if (finding.kind === 'settled')
    return await settleAs(deps, { action, result: finding.result }, call)
  await decideOpen(deps, { action, finding }, call)
}

interface OpenFinding {
  readonly action: LockActionRecord
  readonly finding: Extract<Finding, { kind: 'open' }>
}

/** Nothing was confirmed: after the maximum delay of the vendor it has certainly had no effect. */
async function decideOpen(
  deps: LockDeps,
  { action, finding }: OpenFinding,
  call: LockCall,
): Promise<void> {
  const { keyId, command, sentSeconds } = action
  // A revocation that never arrived is sent again: its id makes that safe.
  if (command.action === 'revoke' && !finding.isKnown && keyId !== null) {
    return await send(deps, action, call)
  }
  if ((sentSeconds ?? 0) <= action.maxDelaySeconds) {
    return await postpone(deps, { action, keyId: finding.keyId }, call)
  }
  const errorCode = 'MELMASTOON.BFF.BACKOFFICE.LOCK_ACTION_NOT_EXECUTED'
  const latencyMs = (sentSeconds ?? 0) * 1_000
  const result = { state: 'failed', source: 'reconciler', errorCode, latencyMs } as const
  await settleAs(deps, { action, result }, call)
}

/** A revocation waits for the key of the issue that it revokes. */
async function sendQueued(deps: LockDeps, action: LockActionRecord, call: LockCall): Promise<void> {
  if (action.keyId !== null || action.command.action === 'issue') {
    return await send(deps, action, call)
  }
  const target = await findTarget(deps, action, call)
  if (target === 'none') {
    const result = { state: 'succeeded', source: 'reconciler', latencyMs: 0 } as const
    return await settleAs(deps, { action, result }, call)
  }
  if (target === 'open') return await postpone(deps, { action }, call)
  await send(deps, { ...action, keyId: target }, call)
}

/** `none`: the issue failed, and no key exists. */
async function findTarget(
  deps: LockDeps,
  { tenantId, targetId }: LockActionRecord,
  call: LockCall,
): Promise<RoomKeyId | 'open' | 'none'> {
  if (targetId === null) return 'none'
  const issue = await readAction(deps, { tenantId, actionId: targetId }, call)
  if (issue.keyId !== null) return issue.keyId
  if (issue.state === 'failed') return 'none'
  const { deadline, trace } = call
  const request = await deps.upstreams.lock
    .getRequest({ params: { requestId: targetId } }, { deadline, trace, tenantId })
    .catch(asAbsent)
  return request?.credential?.keyId ?? 'open'
}

async function send(deps: LockDeps, action: LockActionRecord, call: LockCall): Promise<void> {
  const { claim = claimSending } = deps.lockControls
  const claimed = await claim(deps, { action, holdsLease: true }, call)
  if (claimed === null) return
  const startedMs = deps.clock.monotonicMs()
  const sent = await sendCommand(deps, claimed, call)
  const elapsedMs = deps.clock.monotonicMs() - startedMs
  await recordResult(deps, { action: claimed, sent, source: 'reconciler', elapsedMs }, call)
}

/** The vendor may have created the key twice: one is revoked, and staff are alerted. */
async function checkCopies(
  deps: LockDeps,
  action: LockActionRecord,
  call: LockCall,
): Promise<void> {
  const { actionId, tenantId, ageSeconds } = action
  const copies = await findCopies(deps, action, call)
  for (const key of copies) {
    await raise(deps, { action, kind: 'duplicate' }, call)
    const revocation = { place: action, key, reason: 'replaced', causeId: actionId } as const
    await queueRevocation(deps, revocation, call)
  }
  // A revocation may fail: the check ends when there is no copy.
  const isDone = copies.length === 0 || ageSeconds > MANUAL_AFTER_SECONDS
  if (isDone) await deps.db.tenantQuery(tenantId, endChecks(action), call)
  else await postpone(deps, { action }, call)
}

async function findCopies(
  deps: LockDeps,
  action: LockActionRecord,
  call: LockCall,
): Promise<KeyCredential[]> {
  if (action.command.action !== 'issue') return []
  const own = await listOwnKeys(deps, action, call)
  return superfluous(
    own.filter(({ state }) => state === 'active'),
    action,
  )
}

/** All but the key of the action; if that is not known, but the oldest. */
function superfluous(copies: readonly KeyCredential[], { keyId }: LockActionRecord) {
  const kept = keyId ?? copies.at(-1)?.keyId
  return copies.filter((key) => key.keyId !== kept)
}

async function settleAs(
  deps: LockDeps,
  { action, result }: { readonly action: LockActionRecord; readonly result: LockResult },
  { cause, deadline }: LockCall,
): Promise<void> {
  await deps.db.withTenant(
    action.tenantId,
    async (tx) => void (await settle(deps, tx, { action, result, cause })),
    { deadline },
  )
}

async function postpone(
  { db, lockControls }: LockDeps,
  { action, keyId }: { readonly action: LockActionRecord; readonly keyId?: RoomKeyId | undefined },
  { deadline }: LockCall,
): Promise<void> {
  const nextMs = nextLookMs(lockControls, action.tries)
  await db.tenantQuery(action.tenantId, postponeAction(action, { keyId, nextMs }), { deadline })
}

async function raise(
  { db }: LockDeps,
  { action, kind }: { readonly action: LockActionRecord; readonly kind: LockAlertKind },
  { deadline }: LockCall,
): Promise<void> {
  const { tenantId, propertyId, reservationId, actionId } = action
  const alert = { tenantId, propertyId, reservationId, kind, subjectId: subjectOf(actionId) }
  await db.tenantQuery(tenantId, insertAlert(alert), { deadline })
}

async function readAction(
  { db }: LockDeps,
  { tenantId, actionId }: { tenantId: LockActionRecord['tenantId']; actionId: LockActionId },
  { deadline }: LockCall,
): Promise<LockActionRecord> {
  const [row] = await db.tenantQuery(tenantId, selectAction(actionId), { deadline })
  if (row === undefined) throw new TypeError('the target of a revocation is missing')
  return toRecord(row)
}
