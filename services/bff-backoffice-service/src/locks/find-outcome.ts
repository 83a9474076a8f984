import { asAbsent } from '@melmastoon/bff/upstreams'
import type { RoomKeyId } from '@melmastoon/domain'
import type { KeyCredential, LockRequest } from '@melmastoon/upstream-contracts/lock'
import type { LockActionRecord, LockCommand } from './lock-action.ts'
import { selectOtherKeys } from './lock-action-sql.ts'
import type { LockCall, LockDeps } from './lock-deps.ts'
import { resultOf } from './record-response.ts'
import type { LockResult } from './settle-action.ts'

/** What the lock service knows about an action whose outcome is open. */
export type Finding =
  | { readonly kind: 'settled'; readonly result: LockResult }
  /** Accepted, or not known: without an effect so far. */
  | { readonly kind: 'open'; readonly isKnown: boolean; readonly keyId?: RoomKeyId | undefined }

type Call = Pick<LockCall, 'deadline' | 'trace'>
type FindDeps = Pick<LockDeps, 'upstreams' | 'db'>

/** Asks by the id of the action; if that is not known, compares the keys of the reservation. */
export async function findOutcome(
  deps: FindDeps,
  action: LockActionRecord,
  call: Call,
): Promise<Finding> {
  const { actionId: requestId, tenantId } = action
  const { deadline, trace } = call
  const request = await deps.upstreams.lock
    .getRequest({ params: { requestId } }, { deadline, trace, tenantId })
    .catch(asAbsent)
  return request === null ? await findByKey(deps, action, call) : fromRequest(action, request)
}

function fromRequest(action: LockActionRecord, request: LockRequest): Finding {
  const { credential } = request
  if (request.state !== 'accepted') {
    const elapsedMs = (action.sentSeconds ?? 0) * 1_000
    return { kind: 'settled', result: resultOf(request, { source: 'reconciler', elapsedMs }) }
  }
  if (credential !== undefined && hasEffect(action.command, credential)) {
    return succeeded(action, credential)
  }
  return { kind: 'open', isKnown: true, keyId: credential?.keyId }
}

async function findByKey(deps: FindDeps, action: LockActionRecord, call: Call): Promise<Finding> {
  const keys =
    action.command.action === 'issue'
      ? await listOwnKeys(deps, action, call)
      : (await listKeys(deps, action, call)).filter(({ keyId }) => keyId === action.keyId)
  const found = keys.find((key) => hasEffect(action.command, key))
  return found === undefined ? { kind: 'open', isKnown: false } : succeeded(action, found)
}

/**
 * The keys that an issue has created: those with its request id, and those without any that are as
 * it wants them and that no other action has issued.
 */
export async function listOwnKeys(
  deps: FindDeps,
  action: LockActionRecord,
  call: Call,
): Promise<KeyCredential[]> {
  const { tenantId, reservationId, actionId, command } = action
  const others = await deps.db.tenantQuery(tenantId, selectOtherKeys(action, reservationId), call)
  const taken = new Set(others.map(({ key_id }) => key_id))
  return (await listKeys(deps, action, call)).filter((key) =>
    key.requestId === undefined
      ? !taken.has(key.keyId) && command.action === 'issue' && isSameKey(command, key)
      : key.requestId === actionId,
  )
}

/** All keys of the reservation, newest first. */
export async function listKeys(
  { upstreams: { lock } }: Pick<LockDeps, 'upstreams'>,
  {
    tenantId,
    propertyId,
    reservationId,
  }: Pick<LockActionRecord, 'tenantId' | 'propertyId' | 'reservationId'>,
  { deadline, trace }: Call,
): Promise<KeyCredential[]> {
  const listed = await lock
    .listCredentials(
      { params: { propertyId }, query: { reservationId, limit: 200 } },
      { deadline, trace, tenantId },
    )
    .catch(asAbsent)
  return listed?.credentials ?? []
}

/** Whether the key is as the command wants it: room, validity and kind. */
function hasEffect(command: LockCommand, key: KeyCredential): boolean {
  switch (command.action) {
    case 'issue':
      return key.state === 'active' && isSameKey(command, key)
    case 'revoke':
      return key.state === 'revoked'
    case 'rebind':
      return key.state === 'active' && hasSameRooms(command.rooms, key.rooms)
    case 'extend':
      return key.state === 'active' && isSameInstant(command.validUntil, key.validUntil)
  }
}

function isSameKey(
  command: Extract<LockCommand, { readonly action: 'issue' }>,
  key: KeyCredential,
): boolean {
  return (
    key.kind === command.kind &&
    hasSameRooms(command.rooms, key.rooms) &&
    isSameInstant(command.validFrom, key.validFrom) &&
    isSameInstant(command.validUntil, key.validUntil)
  )
}

function hasSameRooms(wanted: readonly string[], rooms: readonly string[]): boolean {
  return wanted.length === rooms.length && wanted.every((room) => rooms.includes(room))
}

function isSameInstant(one: string, other: string): boolean {
  return Date.parse(one) === Date.parse(other)
}

function succeeded({ sentSeconds }: LockActionRecord, { keyId }: KeyCredential): Finding {
  const latencyMs = (sentSeconds ?? 0) * 1_000
  return { kind: 'settled', result: { state: 'succeeded', source: 'reconciler', keyId, latencyMs } }
}
