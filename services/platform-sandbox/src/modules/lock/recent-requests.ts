import type { Database } from '@melmastoon/chassis/db'
import { type Id, type ReservationId, type TenantId, uuidToId } from '@melmastoon/domain'
import { type RequestRow, selectRecentRequests } from './request-sql.ts'

const ROWS = 20

export interface RecentRequest {
  readonly tenantId: TenantId
  readonly requestId: string
  readonly keyId: Id<'key'>
  readonly reservationId: ReservationId
  readonly action: RequestRow['action']
  readonly state: RequestRow['state']
  readonly failureReason: RequestRow['failure_reason']
  readonly vendor: RequestRow['vendor']
  readonly acceptedAt: Date
}

/** Of all tenants, newest first. */
export async function recentRequests(relayDb: Database): Promise<RecentRequest[]> {
  const rows = await relayDb.query(selectRecentRequests(ROWS))
  return rows.map((row) => ({
    tenantId: uuidToId('tnt', row.tenant_id),
    requestId: row.request_id,
    keyId: uuidToId('key', row.key_id),
    reservationId: uuidToId('rsv', row.reservation_id),
    action: row.action,
    state: row.state,
    failureReason: row.failure_reason,
    vendor: row.vendor,
    acceptedAt: row.accepted_at,
  }))
}
