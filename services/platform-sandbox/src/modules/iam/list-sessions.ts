import {
  type Id,
  type IsoDateTime,
  idToUuid,
  type TenantId,
  toIsoDateTime,
  uuidToId,
} from '@melmastoon/domain'
import { selectActiveFamilies } from './family-sql.ts'
import type { IamHost } from './iam.ts'

const SHOWN_MAX = 20

export interface ActiveSession {
  readonly sessionId: Id<'bos'>
  readonly operatorId: Id<'opr'>
  readonly deviceId: Id<'dev'>
  readonly signedInAt: IsoDateTime
}

export async function readActiveSessions(
  { db, clock }: Pick<IamHost, 'db' | 'clock'>,
  tenantId: TenantId,
): Promise<ActiveSession[]> {
  const page = { now: clock.now(), rows: SHOWN_MAX }
  const rows = await db.tenantQuery(tenantId, selectActiveFamilies(idToUuid(tenantId), page))
  return rows.map((row) => ({
    sessionId: uuidToId('bos', row.session_id),
    operatorId: uuidToId('opr', row.operator_id),
    deviceId: uuidToId('dev', row.device_id),
    signedInAt: toIsoDateTime(row.created_at),
  }))
}
