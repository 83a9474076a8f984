import type { Tx } from '@melmastoon/chassis/db'
import { type Id, idToUuid, problem, type TenantId, uuidToId } from '@melmastoon/domain'
import type { EventContext } from '@melmastoon/events'
import type { Actor } from '@melmastoon/upstream-contracts'
import type { LockAction, LockRequest } from '@melmastoon/upstream-contracts/lock'
import type { Command } from './begin-request.ts'
import { chooseScenario } from './choose-scenario.ts'
import { type CredentialRow, lockCredential, selectCredential } from './credential-sql.ts'
import { fingerprint } from './fingerprint.ts'
import { knownRequest } from './known-request.ts'
import type { LockHost } from './lock-host.ts'
import type { KeyChange } from './request-sql.ts'
import { requireRooms } from './require-rooms.ts'
import { endAction, runAction } from './run-action.ts'

export interface ChangeInput {
  readonly keyId: Id<'key'>
  readonly action: Exclude<LockAction, 'issue'>
  readonly requestId: string
  readonly change: KeyChange
  readonly expectedVersion?: number
  readonly actor: Actor | null
  readonly causationId?: string
}

export interface ChangeCall {
  readonly tenantId: TenantId
  readonly cause: EventContext
  readonly scenario: string | undefined
  finish(tx: Tx, body: LockRequest): Promise<LockRequest>
}

/** Revokes a key, binds it to other rooms or changes the end of its validity. */
export async function changeKey(
  host: LockHost,
  input: ChangeInput,
  call: ChangeCall,
): Promise<LockRequest> {
  const { requestId } = input
  const action = {
    ...call,
    conclude: (tx: Tx, request: LockRequest) => call.finish(tx, request),
  }
  const repeated = { requestId, fingerprint: fingerprintOf(input) }
  const known = await knownRequest(host, call, repeated)
  if (known !== undefined) {
    const command = { tenant: known.tenant_id, requestId }
    return await endAction(host, action, { command, awaited: null })
  }
  const key = await findKey(host, input, call)
  const place = {
    tenantId: call.tenantId,
    propertyId: uuidToId('ppt', key.property_id),
    reservationId: uuidToId('rsv', key.reservation_id),
  }
  const { rooms } = input.change
  if (rooms !== undefined) {
    await requireRooms(host, { ...place, rooms: rooms.map((room) => uuidToId('rmu', room)) })
  }
  const scenario = await chooseScenario(host.db.scoped(call.tenantId), place, call.scenario)
  const command = changeCommand(host, input, { key, scenario })
  return await runAction(host, action, command)
}

async function findKey(
  host: LockHost,
  { keyId }: ChangeInput,
  { tenantId }: ChangeCall,
): Promise<CredentialRow> {
  const ref = { tenant: idToUuid(tenantId), key: idToUuid(keyId) }
  const [row] = await host.db.tenantQuery(tenantId, selectCredential(ref))
  if (row === undefined) throw problem('MELMASTOON.LOCK.CREDENTIAL_NOT_FOUND')
  return row
}

export function changeCommand(
  host: LockHost,
  input: ChangeInput,
  { key, scenario }: { readonly key: CredentialRow; readonly scenario: Command['scenario'] },
): Command {
  const { tenant_id: tenant, key_id, property_id: property } = key
  return {
    tenant,
    property,
    requestId: input.requestId,
    action: input.action,
    rooms: [],
    change: input.change,
    operator: input.actor === null ? null : idToUuid(input.actor.operatorId),
    causation: input.causationId ?? null,
    lateMs: host.lateMs,
    scenario,
    fingerprint: fingerprintOf(input),
    async takeKey(tx) {
      const [locked] = await tx.query(lockCredential({ tenant, key: key_id }))
      if (locked === undefined) throw problem('MELMASTOON.LOCK.CREDENTIAL_NOT_FOUND')
      checkKey(input, locked)
      return locked
    },
  }
}

function checkKey({ action, change, expectedVersion }: ChangeInput, key: CredentialRow): void {
  if (expectedVersion !== undefined && expectedVersion !== key.version) {
    throw problem('MELMASTOON.LOCK.VERSION_CONFLICT')
  }
  // A revocation is always accepted: of a revoked key it changes nothing.
  if (action === 'revoke') return
  if (key.state !== 'active') throw problem('MELMASTOON.LOCK.ILLEGAL_TRANSITION')
  const { validUntil } = change
  if (validUntil !== undefined && Date.parse(validUntil) <= key.valid_from.getTime()) {
    throw problem('MELMASTOON.LOCK.WINDOW_INVALID')
  }
}

function fingerprintOf({ keyId, action, change }: ChangeInput): string {
  return fingerprint({ keyId, action, ...change })
}
