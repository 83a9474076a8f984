import type { Database } from '@melmastoon/chassis/db'
import { type Id, idToUuid, problem, type TenantId } from '@melmastoon/domain'
import { resendWebhook as resend } from '../sql/webhooks.ts'

/** One more copy with the same id and the same bytes, whatever became of the others. */
export async function resendWebhook(
  db: Database,
  tenantId: TenantId,
  webhookId: Id<'whk'>,
): Promise<void> {
  const statement = resend(idToUuid(tenantId), idToUuid(webhookId))
  const [row] = await db.tenantQuery(tenantId, statement)
  if (row === undefined) throw problem('MELMASTOON.GENERAL.RESOURCE_NOT_FOUND')
}
