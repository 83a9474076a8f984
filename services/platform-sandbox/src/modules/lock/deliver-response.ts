import type { Tx } from '@melmastoon/chassis/db'
import { appendEvents } from '@melmastoon/chassis/outbox'
import { idToUuid, newId } from '@melmastoon/domain'
import type { LockFailure } from '@melmastoon/upstream-contracts/lock'
import { confirmedChange, failedChange, undoOf } from './apply-result.ts'
import { buildEvent, type LockOutcome, type Publishing } from './build-event.ts'
import { changeKey } from './change-key-row.ts'
import { type CredentialRow, insertCredential, lockCredential } from './credential-sql.ts'
import { cancelOpenRequests, type RequestRow, selectRequest, settleRequest } from './request-sql.ts'
import { type ResponseRef, type TakenResponse, takeResponse } from './response-sql.ts'
import type { Reading } from './vendors/vendor.ts'
import { VENDORS } from './vendors/vendors.ts'

/**
 * Applies a response of the vendor, once. A response that is out of date or repeated changes
 * nothing; its event is published nevertheless, as by the real service. Returns whether there was
 * one to deliver.
 */
export async function deliverResponse(
  tx: Tx,
  ref: ResponseRef,
  publishing: Publishing,
): Promise<boolean> {
  const [taken] = await tx.query(takeResponse(ref))
  if (taken === undefined) return false
  const { request, credential } = await takeRequest(tx, ref.tenant, taken.request_id)
  const reading = VENDORS[request.vendor].read(taken.response)
  const outcomes = await applyReading(tx, { request, credential, reading, taken })
  await appendEvents(
    tx,
    outcomes.map((outcome) => buildEvent(publishing, outcome)),
  )
  return true
}

/** Locks the key: all changes of its requests need this lock. */
async function takeRequest(tx: Tx, tenant: string, requestId: string) {
  const [known] = await tx.query(selectRequest(tenant, requestId))
  if (known === undefined) throw new TypeError('a response without a request')
  const [credential] = await tx.query(lockCredential({ tenant, key: known.key_id }))
  const [request] = await tx.query(selectRequest(tenant, requestId))
  if (credential === undefined || request === undefined) throw new TypeError('a key is missing')
  return { request, credential }
}

interface Arrival {
  readonly request: RequestRow
  readonly credential: CredentialRow
  readonly reading: Reading
  readonly taken: Pick<TakenResponse, 'sequence'>
}

async function applyReading(tx: Tx, arrival: Arrival): Promise<LockOutcome[]> {
  const { request, credential, reading, taken } = arrival
  const { sequence } = taken
  const result = failureOf(reading) ?? 'done'
  const isCancelled = request.failure_reason === 'cancelled_mid_flight'
  if (sequence <= request.last_sequence || isCancelled) {
    return [{ request, credential, result, sequence }]
  }
  return result === 'done'
    ? await confirm(tx, arrival, reading.vendorCode)
    : await fail(tx, arrival, { reason: result, vendorCode: reading.vendorCode })
}

async function confirm(tx: Tx, arrival: Arrival, vendorCode: string): Promise<LockOutcome[]> {
  const { request, credential, taken } = arrival
  const { sequence } = taken
  const changed = await changeKey(tx, arrival, confirmedChange)
  const settled = await settle(tx, arrival, {
    state: 'succeeded',
    failureReason: null,
    vendorCode,
    undo: changed === credential ? null : undoOf(credential),
  })
  const done = { request: settled, result: 'done', sequence } as const
  const copies = await copyKey(tx, settled, changed)
  const cancelled = request.action === 'revoke' ? await cancelOthers(tx, settled, changed) : []
  return [
    { ...done, credential: changed },
    ...copies.map((copy) => ({ ...done, credential: copy })),
    ...cancelled,
  ]
}

async function fail(
  tx: Tx,
  arrival: Arrival,
  { reason, vendorCode }: { readonly reason: LockFailure; readonly vendorCode: string },
): Promise<LockOutcome[]> {
  const credential = await changeKey(tx, arrival, failedChange)
  const settled = await settle(tx, arrival, {
    state: 'failed',
    failureReason: reason,
    vendorCode,
    undo: null,
  })
  return [{ request: settled, credential, result: reason, sequence: arrival.taken.sequence }]
}

async function settle(
  tx: Tx,
  { request, taken }: Arrival,
  outcome: Pick<
    Parameters<typeof settleRequest>[0],
    'state' | 'failureReason' | 'vendorCode' | 'undo'
  >,
): Promise<RequestRow> {
  const ref = { tenant: request.tenant_id, request: request.request_id }
  const [row] = await tx.query(settleRequest({ ...ref, ...outcome, sequence: taken.sequence }))
  if (row === undefined) throw new TypeError('a request is missing')
  return row
}

/** The fault that a vendor creates the same key twice. */
async function copyKey(tx: Tx, request: RequestRow, key: CredentialRow): Promise<CredentialRow[]> {
  if (request.action !== 'issue' || request.copies < 2 || key.state !== 'active') return []
  const copy = {
    tenant: key.tenant_id,
    key: idToUuid(newId('key')),
    property: key.property_id,
    reservation: key.reservation_id,
    rooms: key.rooms,
    kind: key.kind,
    state: key.state,
    vendor: key.vendor,
    validFrom: key.valid_from.toISOString(),
    validUntil: key.valid_until.toISOString(),
    request: key.request_id,
  }
  const by = { operator: request.operator_id, causation: request.causation_id }
  return await tx.query(insertCredential(copy, by))
}

/** A revocation wins over every open action on its key. */
async function cancelOthers(
  tx: Tx,
  { request_id }: RequestRow,
  credential: CredentialRow,
): Promise<LockOutcome[]> {
  const ref = { tenant: credential.tenant_id, key: credential.key_id }
  const cancelled = await tx.query(cancelOpenRequests(ref, request_id))
  return cancelled.map((request) => ({
    request,
    credential,
    result: 'cancelled_mid_flight',
    sequence: 0,
  }))
}

function failureOf({ result }: Reading): LockFailure | null {
  if (result === 'done') return null
  return result === 'busy' ? 'vendor_unreachable' : result
}
