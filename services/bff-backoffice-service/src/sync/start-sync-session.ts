import { randomUUID } from 'node:crypto'
import { asAbsent, type ClientOf } from '@melmastoon/bff/upstreams'
import type { Clock } from '@melmastoon/chassis/clock'
import { type PropertyId, problem } from '@melmastoon/domain'
import type { OutboxEvent } from '@melmastoon/events'
import type { propertyContract } from '@melmastoon/upstream-contracts/property'
import { SYNC_TOKEN_MAX_SECONDS, signSyncToken } from '@melmastoon/upstream-contracts/sync'
import { type Operator, requireProperty } from '../access/operator.ts'
import { syncHandshakeCompleted } from '../events/device-events.ts'
import type { EventDeps, StaffCall } from '../events/staff-call.ts'
import type { SigningKey } from './signing-key.ts'

export interface HandshakeDeps extends EventDeps {
  readonly clock: Clock
  readonly syncKey: SigningKey
  readonly upstreams: { readonly property: Pick<ClientOf<typeof propertyContract>, 'getProperty'> }
}

export interface SyncSessionToken {
  readonly token: string
  readonly expiresAt: Date
  /** To be stored with the response. */
  readonly event: OutboxEvent
}

export interface SyncSessionRequest {
  readonly operator: Operator
  readonly propertyIds: readonly PropertyId[]
}

/**
 * A token with which the device pulls and pushes at the sync service itself (B8): for this device,
 * these properties and fifteen minutes.
 * @throws Problem RESOURCE_NOT_FOUND
 */
export async function startSyncSession(
  deps: HandshakeDeps,
  { operator, propertyIds }: SyncSessionRequest,
  call: StaffCall,
): Promise<SyncSessionToken> {
  await Promise.all(propertyIds.map((propertyId) => check(deps, { operator, propertyId }, call)))
  const { tenantId, operatorId, deviceId } = operator
  const now = deps.clock.now()
  const lifetimeSeconds = SYNC_TOKEN_MAX_SECONDS
  const token = await signSyncToken(
    deps.syncKey,
    { tenantId, operatorId, deviceId, propertyIds },
    { now, lifetimeSeconds, tokenId: randomUUID() },
  )
  const expiresAt = new Date((Math.floor(now.getTime() / 1_000) + lifetimeSeconds) * 1_000)
  const payload = {
    deviceId,
    operatorId,
    propertyIds: [...propertyIds],
    expiresAt: expiresAt.toISOString(),
  }
  const event = deps.registry.build(syncHandshakeCompleted.subject, payload, call.cause)
  return { token, expiresAt, event }
}

/** An operator of all properties might name one of another tenant: the property service knows. */
async function check(
  { upstreams }: HandshakeDeps,
  { operator, propertyId }: { readonly operator: Operator; readonly propertyId: PropertyId },
  { deadline, trace }: StaffCall,
): Promise<void> {
  requireProperty(operator, propertyId)
  if (operator.properties !== '*') return
  const { tenantId } = operator
  const found = await upstreams.property
    .getProperty({ params: { propertyId } }, { deadline, trace })
    .catch(asAbsent)
  if (found?.tenantId !== tenantId) throw problem('MELMASTOON.GENERAL.RESOURCE_NOT_FOUND')
}
