import type { Tx } from '@melmastoon/chassis/db'
import { type EventHandler, on } from '@melmastoon/chassis/inbox'
import { idToUuid, type ReservationId, type TenantId, uuidToId } from '@melmastoon/domain'
import type { EventContext, EventMessage } from '@melmastoon/events'
import {
  reservationCancelled,
  reservationCheckedOut,
  reservationNoShow,
} from '@melmastoon/platform-events'
import type { RevokeReason } from '@melmastoon/upstream-contracts/lock'
import { beginRequest } from './begin-request.ts'
import { changeCommand } from './change-key.ts'
import { chooseScenario } from './choose-scenario.ts'
import { type CredentialRow, selectOpenKeys } from './credential-sql.ts'
import type { LockHost } from './lock-host.ts'

interface EndedStay {
  readonly tenantId: TenantId
  readonly reservationId: ReservationId
}

interface Ending {
  readonly stay: EndedStay
  readonly reason: RevokeReason
  readonly event: EventMessage
  readonly cause: EventContext
}

/** The keys of a stay that has ended are revoked; the vendor confirms each later. */
export function stayEndHandlers(host: LockHost, causeOf: () => EventContext): EventHandler[] {
  const revoke = (reason: RevokeReason) => ({
    scope: 'tenant' as const,
    handle: (tx: Tx, stay: EndedStay, event: EventMessage) =>
      revokeKeys(host, tx, { stay, reason, event, cause: causeOf() }),
  })
  return [
    on(reservationCancelled, revoke('cancellation')),
    on(reservationNoShow, revoke('cancellation')),
    on(reservationCheckedOut, revoke('checkout')),
  ]
}

async function revokeKeys(host: LockHost, tx: Tx, ending: Ending): Promise<void> {
  const { tenantId, reservationId } = ending.stay
  const keys = await tx.query(selectOpenKeys(idToUuid(tenantId), idToUuid(reservationId)))
  const publishing = { registry: host.registry, cause: ending.cause }
  for (const key of keys) {
    await beginRequest(tx, await revocationOf(host, tx, { ...ending, key }), publishing)
  }
}

async function revocationOf(
  host: LockHost,
  tx: Tx,
  { stay, reason, event, key }: Ending & { readonly key: CredentialRow },
) {
  const { eventId } = event.envelope
  const keyId = uuidToId('key', key.key_id)
  const place = { ...stay, propertyId: uuidToId('ppt', key.property_id) }
  const scenario = await chooseScenario(tx, place, undefined)
  const input = {
    keyId,
    action: 'revoke',
    requestId: `stay_${ulidOf(eventId)}_${ulidOf(keyId)}`,
    change: { reason },
    actor: null,
    causationId: eventId,
  } as const
  return changeCommand(host, input, { key, scenario })
}

function ulidOf(id: string): string {
  return id.slice(id.lastIndexOf('_') + 1)
}
