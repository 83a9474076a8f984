import type { Tx } from '@melmastoon/chassis/db'
import { idToUuid, problem, type TenantId } from '@melmastoon/domain'
import type { Tenant } from '@melmastoon/upstream-contracts/tenant'
import { toTenant } from './tenant.ts'
import { findTenantById, lockTenant } from './tenant-sql.ts'

export interface OwnTenant {
  /** The tenant of the caller. */
  readonly tenantId: TenantId
  /** The tenant in the path. */
  readonly named: TenantId
}

/** Locks the caller's own tenant for a change; other tenants do not exist for the caller (D18). */
export async function lockOwnTenant(tx: Tx, { tenantId, named }: OwnTenant): Promise<Tenant> {
  if (named !== tenantId) throw problem('MELMASTOON.TENANT.NOT_FOUND')
  const id = idToUuid(tenantId)
  await tx.query(lockTenant(id))
  const [row] = await tx.query(findTenantById(id))
  if (row === undefined) throw problem('MELMASTOON.TENANT.NOT_FOUND')
  return toTenant(row)
}
