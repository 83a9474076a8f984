import { idToUuid, newId, problem, type TenantId } from '@melmastoon/domain'
import type { LockHost } from './lock-host.ts'
import { selectRequest } from './request-sql.ts'
import { insertResponses } from './response-sql.ts'
import { VENDORS } from './vendors/vendors.ts'

/** What the vendor says now: it settles an open request, or contradicts or repeats itself. */
export const SENT_RESPONSES = ['succeed', 'fail', 'repeat'] as const
export type SentResponse = (typeof SENT_RESPONSES)[number]

/** Another response of the vendor to a request, whatever it has sent before; delivered at once. */
export async function sendResponse(
  { db }: Pick<LockHost, 'db'>,
  { tenantId, requestId }: { readonly tenantId: TenantId; readonly requestId: string },
  sent: SentResponse,
): Promise<void> {
  const tenant = idToUuid(tenantId)
  await db.withTenant(tenantId, async (tx) => {
    const [request] = await tx.query(selectRequest(tenant, requestId))
    if (request === undefined) throw problem('MELMASTOON.LOCK.REQUEST_NOT_FOUND')
    const { last_sequence: last, state } = request
    const succeeds = sent === 'succeed' || (sent === 'repeat' && state !== 'failed')
    const result = succeeds ? 'done' : 'vendor_refused'
    const row = {
      response_id: idToUuid(newId('evt')),
      sequence: sent === 'repeat' ? Math.max(1, last) : last + 1,
      response: VENDORS[request.vendor].respond(result),
      awaits_gateway: false,
      after_ms: 0,
    }
    await tx.query(insertResponses({ tenant, request: requestId }, [row]))
  })
}
