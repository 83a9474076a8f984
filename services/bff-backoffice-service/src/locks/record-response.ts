import type { Tx } from '@melmastoon/chassis/db'
import { crashPoint } from '@melmastoon/chassis/lifecycle'
import type { ProblemCode } from '@melmastoon/domain'
import type { LockFailure, LockRequest } from '@melmastoon/upstream-contracts/lock'
import type { LockActionRecord, TransitionSource } from './lock-action.ts'
import { postponeAction, selectAction, toRecord } from './lock-action-sql.ts'
import type { LockCall, LockDeps } from './lock-deps.ts'
import { nextLookMs } from './lock-schedule.ts'
import type { SendResult } from './send-command.ts'
import { type LockResult, mark, settle } from './settle-action.ts'

/** With the time that the lock service took, unless it reports the time of the vendor. */
export interface Recorded {
  readonly action: LockActionRecord
  readonly sent: SendResult
  readonly source: TransitionSource
  readonly elapsedMs: number
}

/** Records what is known after a call; returns the action as it is then. */
export async function recordResult(
  deps: LockDeps,
  result: Recorded,
  { deadline, cause }: Pick<LockCall, 'deadline' | 'cause'>,
): Promise<LockActionRecord> {
  crashPoint('locks.after_call')
  const { tenantId, actionId } = result.action
  const recorded = await deps.db.withTenant(
    tenantId,
    async (tx) => {
      await write(deps, tx, { result, cause })
      const [row] = await tx.query(selectAction(actionId))
      if (row === undefined) throw new TypeError('an action is missing')
      return toRecord(row)
    },
    { deadline },
  )
  crashPoint('locks.after_settle')
  return recorded
}

interface Writing {
  readonly result: Recorded
  readonly cause: LockCall['cause']
}

async function write(deps: LockDeps, tx: Tx, { result, cause }: Writing): Promise<void> {
  const { action, sent, source, elapsedMs } = result
  switch (sent.kind) {
    case 'response':
      return await writeRequest(deps, tx, { request: sent.request, result, cause })
    case 'rejected':
    case 'unsent': {
      if (staysQueued(action, sent)) return await requeue(deps, tx, action)
      const failed = { state: 'failed', errorCode: sent.code, latencyMs: elapsedMs } as const
      await settle(deps, tx, { action, result: { ...failed, source }, cause })
      return
    }
    case 'unknown':
      return await mark(deps, tx, { action, state: 'unknown', source, errorCode: sent.code })
  }
}

/** A revocation is always accepted: the reconciler sends it as soon as that is possible. */
function staysQueued({ command }: LockActionRecord, sent: SendResult): boolean {
  if (command.action !== 'revoke') return false
  return sent.kind === 'unsent' || ('code' in sent && sent.code === 'MELMASTOON.LOCK.GATEWAY_BUSY')
}

async function requeue(deps: LockDeps, tx: Tx, action: LockActionRecord): Promise<void> {
  const nextMs = nextLookMs(deps.lockControls, action.tries)
  await tx.query(postponeAction(action, { nextMs }))
}

async function writeRequest(
  deps: LockDeps,
  tx: Tx,
  { request, result, cause }: Writing & { readonly request: LockRequest },
): Promise<void> {
  const keyId = request.credential?.keyId
  const { action, source } = result
  if (request.state === 'accepted') {
    return await mark(deps, tx, { action, state: 'accepted', source, keyId })
  }
  await settle(deps, tx, { action, result: resultOf(request, result), cause })
}

/** @param request settled */
export function resultOf(
  request: LockRequest,
  { source, elapsedMs }: Pick<Recorded, 'source' | 'elapsedMs'>,
): LockResult {
  const keyId = request.credential?.keyId
  const latencyMs = request.vendorLatencyMs > 0 ? request.vendorLatencyMs : elapsedMs
  if (request.state === 'succeeded') return { state: 'succeeded', source, keyId, latencyMs }
  const errorCode = codeOf(request.failureReason)
  return { state: 'failed', source, keyId, latencyMs, errorCode }
}

const INCAPABLE: ReadonlySet<string> = new Set<LockFailure>([
  'no_capable_device',
  'kind_unsupported',
  'gateway_offline',
])

/** As the lock service itself rejects a command for this reason. */
export function codeOf(reason: string | null | undefined): ProblemCode {
  return reason !== null && reason !== undefined && INCAPABLE.has(reason)
    ? 'MELMASTOON.LOCK.NO_CAPABLE_DEVICE'
    : 'MELMASTOON.LOCK.VENDOR_REFUSED'
}
