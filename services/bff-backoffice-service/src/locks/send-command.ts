import { UpstreamRejection, wasNotSent } from '@melmastoon/chassis/upstream'
import { type FieldError, isProblem, PROBLEMS, type ProblemCode } from '@melmastoon/domain'
import type { IssuedKey, LockRequest } from '@melmastoon/upstream-contracts/lock'
import type { LockActionRecord } from './lock-action.ts'
import type { LockCall, LockDeps } from './lock-deps.ts'

/** What is known after a command was sent. */
export type SendResult =
  | {
      readonly kind: 'response'
      readonly request: LockRequest
      /** For the response to this request only: never stored, logged or published. */
      readonly secret?: IssuedKey['secret']
    }
  /** The lock service has not executed it. */
  | { readonly kind: 'rejected'; readonly code: ProblemCode; readonly errors?: FieldError[] }
  /** It has not left this process. */
  | { readonly kind: 'unsent'; readonly code: ProblemCode }
  | { readonly kind: 'unknown'; readonly code: ProblemCode }

/** Sends the command once. The request id is the action's: a repetition has no further effect. */
export async function sendCommand(
  deps: Pick<LockDeps, 'upstreams'>,
  action: LockActionRecord,
  call: Pick<LockCall, 'deadline' | 'trace'>,
): Promise<SendResult> {
  try {
    const { secret, ...request } = await callLock(deps, action, call)
    return { kind: 'response', request, ...(secret !== undefined && { secret }) }
  } catch (error) {
    return failureOf(error)
  }
}

function callLock(
  { upstreams: { lock } }: Pick<LockDeps, 'upstreams'>,
  action: LockActionRecord,
  { deadline, trace }: Pick<LockCall, 'deadline' | 'trace'>,
): Promise<IssuedKey> {
  const { actionId, tenantId, propertyId, reservationId, actor, command, keyId } = action
  const call = { deadline, trace, tenantId, idempotencyKey: actionId, retries: 0 }
  const members = { requestId: actionId, actor, causationId: actionId }
  if (command.action === 'issue') {
    const { kind, validFrom, validUntil } = command
    const rooms = [...command.rooms]
    const body = { ...members, propertyId, reservationId, rooms, kind, validFrom, validUntil }
    return lock.issue({ body }, call)
  }
  if (keyId === null) throw new TypeError('the key is not known')
  const params = { keyId }
  switch (command.action) {
    case 'revoke':
      return lock.revoke({ params, body: { ...members, reason: command.reason } }, call)
    case 'rebind':
      return lock.rebind({ params, body: { ...members, rooms: [...command.rooms] } }, call)
    case 'extend':
      return lock.extend({ params, body: { ...members, validUntil: command.validUntil } }, call)
  }
}

/** The other rejections do not say that nothing was executed: an earlier attempt may be running. */
const NOT_EXECUTED: ReadonlySet<string | undefined> = new Set([
  'MELMASTOON.PROPERTY.NOT_FOUND',
  'MELMASTOON.LOCK.CREDENTIAL_NOT_FOUND',
  'MELMASTOON.LOCK.VENDOR_REFUSED',
  'MELMASTOON.LOCK.NO_CAPABLE_DEVICE',
  'MELMASTOON.LOCK.GATEWAY_BUSY',
  'MELMASTOON.LOCK.VERSION_CONFLICT',
  'MELMASTOON.LOCK.ILLEGAL_TRANSITION',
  'MELMASTOON.LOCK.WINDOW_INVALID',
])

function failureOf(error: unknown): Exclude<SendResult, { kind: 'response' }> {
  if (error instanceof UpstreamRejection) return rejectionOf(error)
  if (!isProblem(error)) throw error
  return { kind: wasNotSent(error) ? 'unsent' : 'unknown', code: error.code }
}

function rejectionOf({ code, status, document }: UpstreamRejection): ReturnType<typeof failureOf> {
  if (NOT_EXECUTED.has(code) && isProblemCode(code)) {
    const errors = errorsOf(document)
    return { kind: 'rejected', code, ...(errors.length > 0 && { errors }) }
  }
  // Our own request was invalid or not permitted: it was rejected before it could be executed.
  const isOurs = status === 400 || status === 401 || status === 403 || status === 429
  return { kind: isOurs ? 'rejected' : 'unknown', code: 'MELMASTOON.BFF.UPSTREAM_REQUEST_REJECTED' }
}

function isProblemCode(code: string | undefined): code is ProblemCode {
  return code !== undefined && Object.hasOwn(PROBLEMS, code)
}

/** The reasons of the lock service: codes such as `slots_full`, without its texts. */
function errorsOf(document: unknown): FieldError[] {
  const errors: unknown =
    typeof document === 'object' && document !== null && 'errors' in document
      ? document.errors
      : undefined
  if (!Array.isArray(errors)) return []
  return errors.flatMap((entry: unknown) => {
    const code =
      typeof entry === 'object' && entry !== null && 'code' in entry ? entry.code : undefined
    const isCode = typeof code === 'string' && /^[a-z][a-z0-9_]{0,59}$/.test(code)
    return isCode ? [{ pointer: '', code, detail: 'reported by the lock system' }] : []
  })
}
