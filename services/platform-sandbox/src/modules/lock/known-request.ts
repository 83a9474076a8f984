import { idToUuid, problem, type TenantId } from '@melmastoon/domain'
import type { LockHost } from './lock-host.ts'
import { type RequestRow, selectRequest } from './request-sql.ts'

/** The request of an earlier call with this id; a different action is rejected. */
export async function knownRequest(
  host: LockHost,
  { tenantId }: { readonly tenantId: TenantId },
  { requestId, fingerprint }: { readonly requestId: string; readonly fingerprint: string },
): Promise<RequestRow | undefined> {
  const statement = selectRequest(idToUuid(tenantId), requestId)
  const [row] = await host.db.tenantQuery(tenantId, statement)
  if (row !== undefined && row.fingerprint !== fingerprint) {
    throw problem('MELMASTOON.LOCK.REQUEST_ID_REUSED')
  }
  return row
}
