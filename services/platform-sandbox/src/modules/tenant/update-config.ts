import { isDeepStrictEqual } from 'node:util'
import type { Tx } from '@melmastoon/chassis/db'
import { appendEvents } from '@melmastoon/chassis/outbox'
import { idToUuid, problem } from '@melmastoon/domain'
import type { InputOf } from '@melmastoon/upstream-contracts'
import type { Tenant, TenantSettings } from '@melmastoon/upstream-contracts/tenant'
import type { CallOf } from '../../contract-handlers.ts'
import type { ModuleHost } from '../../module.ts'
import { checkSettings } from './check-settings.ts'
import { configUpdated } from './config-updated.ts'
import { lockOwnTenant } from './lock-own-tenant.ts'
import { type TenantOperations, toTenant } from './tenant.ts'
import { updateTenantConfig } from './tenant-sql.ts'

type Operation = TenantOperations['updateConfig']

/** Rejects a change that is based on an outdated version. */
export async function updateConfig(
  host: ModuleHost,
  { params, body }: InputOf<Operation>,
  call: CallOf<Operation>,
): Promise<Tenant> {
  const { tenantId } = call
  return await host.db.transaction(async (tx) => {
    const tenant = await lockOwnTenant(tx, { tenantId, named: params.tenantId })
    if (tenant.status === 'closed') throw problem('MELMASTOON.TENANT.ILLEGAL_TRANSITION')
    const { version, ...settings } = tenant.config
    if (version !== body.expectedVersion) {
      throw problem('MELMASTOON.GENERAL.CONFLICT', { extensions: { currentVersion: version } })
    }
    const merged: TenantSettings = { ...settings, ...body.changes }
    checkSettings(merged, '/changes')
    const changed = differences(settings, merged)
    if (changed.length === 0) return await call.finish(tx, tenant)
    const updated = await store(tx, tenant, merged)
    await appendEvents(tx, [configUpdated(host.registry, updated, { changed, cause: call.cause })])
    return await call.finish(tx, updated)
  })
}

async function store(tx: Tx, { tenantId }: Tenant, settings: TenantSettings): Promise<Tenant> {
  const [row] = await tx.query(updateTenantConfig(idToUuid(tenantId), settings))
  if (row === undefined) throw new TypeError('the locked tenant does not exist')
  return toTenant(row)
}

function differences(before: TenantSettings, after: TenantSettings): string[] {
  const names = Object.keys(after) as (keyof TenantSettings)[]
  return names.filter((name) => !isDeepStrictEqual(before[name], after[name]))
}
