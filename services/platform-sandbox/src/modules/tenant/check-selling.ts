import type { Database } from '@melmastoon/chassis/db'
import { idToUuid, problem, type TenantId } from '@melmastoon/domain'
import { findTenantStatus } from './sql/find-tenant.ts'

/** Of a tenant that nobody knows there is nothing to buy, so it is not refused here. */
export async function checkSelling(db: Database, tenantId: TenantId): Promise<void> {
  const [row] = await db.query(findTenantStatus(idToUuid(tenantId)))
  if (row !== undefined && row.status !== 'active') throw problem('MELMASTOON.TENANT.SUSPENDED')
}
