import { asAbsent } from '@melmastoon/bff/upstreams'
import { PROBLEMS, problem } from '@melmastoon/domain'
import type { IssuedKey } from '@melmastoon/upstream-contracts/lock'
import { beginAction, findBegun } from './begin-action.ts'
import { claimSending } from './claim-sending.ts'
import { isOpen, type LockActionRecord, type NewLockAction } from './lock-action.ts'
import { selectAction, toRecord } from './lock-action-sql.ts'
import type { LockCall, LockDeps } from './lock-deps.ts'
import { type Recorded, recordResult } from './record-response.ts'
import { type SendResult, sendCommand } from './send-command.ts'

export interface ActionResult {
  readonly action: LockActionRecord
  readonly secret?: IssuedKey['secret']
  /** It had ended before this request: the result of an earlier one. */
  readonly isRepeated?: boolean
}

export interface ActionRequest extends Pick<NewLockAction, 'tenantId' | 'requestKey'> {
  /** Called unless an earlier attempt has begun the action. */
  readonly plan: () => Promise<NewLockAction>
}

/**
 * One action for an operator: recorded, then sent, then its outcome recorded. Nothing is sent twice
 * unless the same request is repeated, which the lock service recognises by the id of the action.
 * @throws Problem of the rejection, also for an action that failed earlier
 */
export async function runAction(
  deps: LockDeps,
  request: ActionRequest,
  call: LockCall,
): Promise<ActionResult> {
  const begun = await findBegun(deps, request, call)
  if (begun !== null && !mayBeginAgain(begun)) return await resume(deps, begun, call)
  const planned = await request.plan()
  const { begin = beginAction } = deps.lockControls
  const action = await begin(deps, planned, call)
  if (planned.isQueued === true) return { action }
  const existing = await findExisting(deps, action, call)
  return existing === null
    ? await execute(deps, action, call)
    : await finish(deps, { action, sent: existing, elapsedMs: 0 }, call)
}

/** A failure that the same request can overcome, such as a busy gateway. */
function mayBeginAgain({ state, errorCode }: LockActionRecord): boolean {
  return state === 'failed' && errorCode !== null && PROBLEMS[errorCode].retriable
}

/** The state of the action now; for a key also its secret, which is not stored here. */
async function resume(
  deps: LockDeps,
  action: LockActionRecord,
  call: LockCall,
): Promise<ActionResult> {
  if (action.state === 'failed') throw failureOf(action)
  if (action.command.action !== 'issue') return { action }
  if (isOpen(action)) return await sendAgain(deps, action, call)
  const sent = await sendCommand(deps, action, call)
  return { action, ...secretOf(sent), isRepeated: true }
}

/** Nothing is sent while another attempt does so, or once the action is settled. */
async function sendAgain(
  deps: LockDeps,
  action: LockActionRecord,
  call: LockCall,
): Promise<ActionResult> {
  const { claim = claimSending } = deps.lockControls
  const claimed = await claim(deps, { action, holdsLease: false }, call)
  if (claimed !== null) return await execute(deps, claimed, call)
  const { tenantId, actionId } = action
  const { deadline } = call
  const [row] = await deps.db.tenantQuery(tenantId, selectAction(actionId), { deadline })
  if (row === undefined) throw new TypeError('an action is missing')
  const current = toRecord(row)
  return isOpen(current) ? { action: current } : await resume(deps, current, call)
}

async function execute(
  deps: LockDeps,
  action: LockActionRecord,
  call: LockCall,
): Promise<ActionResult> {
  const startedMs = deps.clock.monotonicMs()
  const sent = await sendCommand(deps, action, call)
  const elapsedMs = deps.clock.monotonicMs() - startedMs
  return await finish(deps, { action, sent, elapsedMs }, call)
}

async function finish(
  deps: LockDeps,
  result: Omit<Recorded, 'source'>,
  call: LockCall,
): Promise<ActionResult> {
  const { sent } = result
  const recorded = await recordResult(deps, { ...result, source: 'response' }, call)
  if (recorded.state === 'failed') throw failureOf(recorded, sent)
  return { action: recorded, ...secretOf(sent) }
}

const USABLE: ReadonlySet<string> = new Set(['requested', 'pending', 'active', 'suspended'])

/**
 * Two devices may ask for the same key one after the other. The rooms are taken by this action, so
 * that no other one can be issued between this check and the command.
 */
async function findExisting(
  { upstreams: { lock } }: LockDeps,
  action: LockActionRecord,
  { deadline, trace }: LockCall,
): Promise<SendResult | null> {
  const { command, tenantId, propertyId, reservationId, actionId } = action
  if (command.action !== 'issue' || command.isAdditional) return null
  const listed = await lock
    .listCredentials(
      { params: { propertyId }, query: { reservationId, limit: 200 } },
      { deadline, trace, tenantId },
    )
    .catch(asAbsent)
    .catch(() => 'unavailable' as const)
  if (listed === 'unavailable') {
    return { kind: 'unsent', code: 'MELMASTOON.BFF.UPSTREAM_UNAVAILABLE' }
  }
  const hasOther = listed?.credentials.some(
    (key) =>
      USABLE.has(key.state) &&
      key.kind === command.kind &&
      key.requestId !== actionId &&
      key.rooms.some((room) => command.rooms.includes(room)),
  )
  return hasOther ? { kind: 'rejected', code: 'MELMASTOON.BFF.BACKOFFICE.KEY_EXISTS' } : null
}

function failureOf({ errorCode }: LockActionRecord, sent?: SendResult) {
  const code = errorCode ?? 'MELMASTOON.BFF.BACKOFFICE.LOCK_ACTION_NOT_EXECUTED'
  const errors = sent?.kind === 'rejected' ? sent.errors : undefined
  return problem(code, { errors })
}

function secretOf(sent: SendResult): Pick<ActionResult, 'secret'> {
  return sent.kind === 'response' && sent.secret !== undefined ? { secret: sent.secret } : {}
}
