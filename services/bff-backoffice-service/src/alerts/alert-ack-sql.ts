import { type Statement, sql } from '@melmastoon/chassis/db'
import { appendEventsFragment } from '@melmastoon/chassis/outbox'
import { type Id, idToUuid, type OperatorId, type TenantId } from '@melmastoon/domain'
import type { OutboxEvent } from '@melmastoon/events'
import type { Alert } from '@melmastoon/upstream-contracts/notification'

export interface Acknowledgement {
  readonly tenantId: TenantId
  readonly operatorId: OperatorId
  readonly deviceId: Id<'dev'>
  readonly note: string | undefined
  readonly at: Date
}

export interface AckRow {
  readonly acknowledged_at: Date
}

/** Once per operator, with its event. No row: the operator has acknowledged it before. */
export function insertAcknowledgement(
  alert: Alert,
  { tenantId, operatorId, deviceId, note, at }: Acknowledgement,
  event: OutboxEvent,
): Statement<AckRow> {
  return sql<AckRow>`with logged as (
      insert into alert_ack_log (tenant_id, property_id, alert_id, category, severity, raised_at,
        acknowledged_at, acknowledged_by, device_id, notes_truncated)
      values (${idToUuid(tenantId)}::uuid, ${idToUuid(alert.propertyId)}::uuid, ${alert.alertId},
        ${alert.category}, ${alert.severity}, ${alert.raisedAt}::timestamptz, ${at}::timestamptz,
        ${operatorId}, ${deviceId}, ${note})
      on conflict (tenant_id, alert_id, acknowledged_by) do nothing
      returning acknowledged_at),
    events as (${appendEventsFragment([event], { onlyIf: sql`exists (select from logged)` })})
    select acknowledged_at from logged`
}

export function selectAcknowledgement(
  alertId: Id<'alt'>,
  operatorId: OperatorId,
): Statement<AckRow> {
  return sql<AckRow>`select acknowledged_at from alert_ack_log
    where alert_id = ${alertId} and acknowledged_by = ${operatorId}`
}
