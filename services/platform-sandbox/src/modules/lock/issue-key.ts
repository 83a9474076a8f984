import type { Tx } from '@melmastoon/chassis/db'
import { idToUuid, newId, problem } from '@melmastoon/domain'
import type { InputOf } from '@melmastoon/upstream-contracts'
import type { IssuedKey, LockRequest, LockVendor } from '@melmastoon/upstream-contracts/lock'
import type { CallOf } from '../../contract-handlers.ts'
import type { Command } from './begin-request.ts'
import { chooseScenario } from './choose-scenario.ts'
import type { LockOperations } from './credential.ts'
import { insertCredential } from './credential-sql.ts'
import { fingerprint } from './fingerprint.ts'
import { knownRequest } from './known-request.ts'
import type { LockHost } from './lock-host.ts'
import { pinOf } from './pin.ts'
import type { Exchange } from './plan-exchange.ts'
import { requireRooms } from './require-rooms.ts'
import { endAction, runAction } from './run-action.ts'
import { VENDORS } from './vendors/vendors.ts'

type Operation = LockOperations['issue']
type Body = InputOf<Operation>['body']
type Call = CallOf<Operation>

export async function issueKey(
  host: LockHost,
  { body }: InputOf<Operation>,
  call: Call,
): Promise<IssuedKey> {
  const { requestId } = body
  const action = {
    ...call,
    conclude: (tx: Tx, request: LockRequest) => call.finish(tx, withSecret(host, request)),
  }
  const known = await knownRequest(host, call, { requestId, fingerprint: fingerprintOf(body) })
  if (known !== undefined) {
    const command = { tenant: known.tenant_id, requestId }
    return await endAction(host, action, { command, awaited: null })
  }
  checkWindow(body)
  const place = { ...body, tenantId: call.tenantId }
  await requireRooms(host, place)
  const scenario = await chooseScenario(host.db.scoped(call.tenantId), place, call.scenario)
  return await runAction(host, action, commandOf(host, body, { ...call, scenario }))
}

function commandOf(
  host: LockHost,
  body: Body,
  { tenantId, scenario }: Pick<Call, 'tenantId'> & Pick<Command, 'scenario'>,
): Command {
  const rooms = body.rooms.map(idToUuid)
  const by = {
    operator: idToUuid(body.actor.operatorId),
    causation: body.causationId ?? null,
  }
  const place = { tenant: idToUuid(tenantId), property: idToUuid(body.propertyId) }
  return {
    ...place,
    ...by,
    requestId: body.requestId,
    action: 'issue',
    rooms,
    change: {},
    lateMs: host.lateMs,
    scenario,
    fingerprint: fingerprintOf(body),
    async takeKey(tx, vendor, exchange) {
      requireKind(vendor, body.kind)
      const key = { ...place, ...keyOf(body, exchange), rooms, vendor }
      const [row] = await tx.query(insertCredential(key, by))
      if (row === undefined) throw new TypeError('a new key is missing')
      return row
    },
  }
}

function keyOf(body: Body, { isForgotten }: Exchange) {
  return {
    key: idToUuid(newId('key')),
    reservation: idToUuid(body.reservationId),
    kind: body.kind,
    state: 'pending',
    validFrom: body.validFrom,
    validUntil: body.validUntil,
    request: isForgotten ? null : body.requestId,
  } as const
}

function requireKind(vendor: LockVendor, kind: Body['kind']): void {
  if (VENDORS[vendor].profile.kinds.includes(kind)) return
  const errors = [{ pointer: '/kind', code: 'kind_unsupported', detail: 'is not supported' }]
  throw problem('MELMASTOON.LOCK.NO_CAPABLE_DEVICE', { errors })
}

function checkWindow({ validFrom, validUntil }: Body): void {
  const [from, until] = [Date.parse(validFrom), Date.parse(validUntil)]
  if (until > from) return
  throw problem('MELMASTOON.LOCK.WINDOW_INVALID')
}

function fingerprintOf(body: Body): string {
  const { propertyId, reservationId, rooms, validFrom, validUntil, kind } = body
  const what = { propertyId, reservationId, rooms, validFrom, validUntil, kind }
  return fingerprint({ ...what, action: 'issue' })
}

/** Only a PIN has a secret; it is valid once the vendor has confirmed the key. */
function withSecret(host: LockHost, request: LockRequest): IssuedKey {
  const { credential } = request
  if (credential?.kind !== 'pin_code') return request
  return { ...request, secret: { pin: pinOf(host.pinKey, credential.keyId) } }
}
