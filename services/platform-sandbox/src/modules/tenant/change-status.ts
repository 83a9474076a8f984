import { appendEvents } from '@melmastoon/chassis/outbox'
import { idToUuid, problem, type TenantId } from '@melmastoon/domain'
import type { OutboxEvent } from '@melmastoon/events'
import { tenantReactivated, tenantSuspended } from '@melmastoon/platform-events'
import type { InputOf } from '@melmastoon/upstream-contracts'
import type { Tenant } from '@melmastoon/upstream-contracts/tenant'
import type { CallOf } from '../../contract-handlers.ts'
import type { ModuleHost } from '../../module.ts'
import { lockOwnTenant } from './lock-own-tenant.ts'
import { type TenantOperations, toTenant } from './tenant.ts'
import { updateTenantStatus } from './tenant-sql.ts'

type Suspend = TenantOperations['suspend']
type Reactivate = TenantOperations['reactivate']

interface Transition {
  readonly named: TenantId
  readonly from: Tenant['status']
  readonly to: Tenant['status']
  readonly event: (tenant: Tenant) => OutboxEvent
}

export function suspend(
  host: ModuleHost,
  { params, body }: InputOf<Suspend>,
  call: CallOf<Suspend>,
): Promise<Tenant> {
  const { reasonCode } = body
  return changeStatus(host, call, {
    named: params.tenantId,
    from: 'active',
    to: 'suspended',
    event: ({ tenantId, slug, updatedAt: suspendedAt }) =>
      host.registry.build(
        tenantSuspended.subject,
        { tenantId, slug, reasonCode, suspendedAt },
        call.cause,
      ),
  })
}

export function reactivate(
  host: ModuleHost,
  { params }: InputOf<Reactivate>,
  call: CallOf<Reactivate>,
): Promise<Tenant> {
  return changeStatus(host, call, {
    named: params.tenantId,
    from: 'suspended',
    to: 'active',
    event: ({ tenantId, slug, updatedAt: reactivatedAt }) =>
      host.registry.build(tenantReactivated.subject, { tenantId, slug, reactivatedAt }, call.cause),
  })
}

/** From one status to another; `closed` is final. */
async function changeStatus(
  host: ModuleHost,
  call: CallOf<Suspend | Reactivate>,
  { named, from, to, event }: Transition,
): Promise<Tenant> {
  const { tenantId } = call
  return await host.db.transaction(async (tx) => {
    const tenant = await lockOwnTenant(tx, { tenantId, named })
    if (tenant.status !== from) throw problem('MELMASTOON.TENANT.ILLEGAL_TRANSITION')
    const [row] = await tx.query(updateTenantStatus(idToUuid(tenantId), to))
    if (row === undefined) throw new TypeError('the locked tenant does not exist')
    const changed = toTenant(row)
    await appendEvents(tx, [event(changed)])
    return await call.finish(tx, changed)
  })
}
