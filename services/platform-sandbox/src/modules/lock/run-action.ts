import { setTimeout as delay } from 'node:timers/promises'
import type { Tx } from '@melmastoon/chassis/db'
import { problem, type TenantId } from '@melmastoon/domain'
import type { EventContext } from '@melmastoon/events'
import type { LockFailure, LockRequest } from '@melmastoon/upstream-contracts/lock'
import { type Begun, beginRequest, type Command } from './begin-request.ts'
import { toRequest } from './credential.ts'
import { selectCredential } from './credential-sql.ts'
import { deliverResponse } from './deliver-response.ts'
import type { LockHost } from './lock-host.ts'
import { selectRequest } from './request-sql.ts'

export interface ActionCall<Body> {
  readonly tenantId: TenantId
  readonly cause: EventContext
  /** Stores the response in the transaction of the outcome. */
  readonly conclude: (tx: Tx, request: LockRequest) => Promise<Body>
}

/**
 * Begins the action, waits for the vendor without a transaction, and returns its outcome or that
 * it is accepted. What was begun continues if this process ends: the responses are stored.
 */
export async function runAction<Body>(
  host: LockHost,
  call: ActionCall<Body>,
  command: Command,
): Promise<Body> {
  const publishing = { registry: host.registry, cause: call.cause }
  const { awaited } = await host.db.withTenant(call.tenantId, (tx) =>
    beginRequest(tx, command, publishing),
  )
  if (awaited !== null) await delay(awaited.afterMs)
  return await endAction(host, call, { command, awaited })
}

export interface Ending {
  readonly command: Pick<Command, 'tenant' | 'requestId'>
  readonly awaited: Begun['awaited']
}

/** A failed action is committed, then reported as a rejection. */
export async function endAction<Body>(
  host: LockHost,
  { tenantId, cause, conclude }: ActionCall<Body>,
  { command, awaited }: Ending,
): Promise<Body> {
  const ended = await host.db.withTenant(tenantId, async (tx) => {
    const publishing = { registry: host.registry, cause }
    if (awaited !== null) await deliverResponse(tx, awaited.ref, publishing)
    const request = await readRequest(tx, command)
    if (request.state === 'failed') return { reason: request.failureReason }
    return { body: await conclude(tx, request) }
  })
  if (ended.body === undefined) throw rejection(ended.reason)
  return ended.body
}

async function readRequest(tx: Tx, { tenant, requestId }: Ending['command']): Promise<LockRequest> {
  const [request] = await tx.query(selectRequest(tenant, requestId))
  const [key] = request ? await tx.query(selectCredential({ tenant, key: request.key_id })) : []
  if (request === undefined || key === undefined) throw new TypeError('a begun request is missing')
  return toRequest(request, key)
}

const INCAPABLE: ReadonlySet<LockFailure | undefined> = new Set<LockFailure>([
  'no_capable_device',
  'kind_unsupported',
  'gateway_offline',
])

function rejection(reason: LockFailure | undefined) {
  const isIncapable = INCAPABLE.has(reason)
  const code = isIncapable ? 'MELMASTOON.LOCK.NO_CAPABLE_DEVICE' : 'MELMASTOON.LOCK.VENDOR_REFUSED'
  const errors = [{ pointer: '/requestId', code: reason ?? 'unknown', detail: 'has failed' }]
  return problem(code, { errors })
}
