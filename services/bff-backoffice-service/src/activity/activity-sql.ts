import { type Statement, sql } from '@melmastoon/chassis/db'
import { type Id, idToUuid } from '@melmastoon/domain'
import type { Activity } from './activity.ts'

/** An activity with its id, which decides the day it belongs to. */
export interface ActivityRow extends Activity {
  readonly id: Id<'act'>
}

/**
 * All rows in one statement. A repeated statement adds nothing: after a lost connection nobody
 * knows whether the first one was committed.
 */
export function insertActivities(rows: readonly ActivityRow[]): Statement<unknown> {
  const column = <T>(read: (row: ActivityRow) => T) => rows.map(read)
  return sql`
    insert into operator_activity (id, tenant_id, property_id, operator_id, device_id, session_id,
      occurred_at, category, action, resource_kind, resource_id, outcome, latency_ms, error_code)
    select * from unnest(
      ${column(({ id }) => idToUuid(id))}::uuid[],
      ${column(({ tenantId }) => idToUuid(tenantId))}::uuid[],
      ${column(({ propertyId }) => (propertyId === null ? null : idToUuid(propertyId)))}::uuid[],
      ${column(({ operatorId }) => operatorId)}::text[],
      ${column(({ deviceId }) => deviceId)}::text[],
      ${column(({ sessionId }) => sessionId)}::text[],
      ${column(({ occurredAt }) => occurredAt.toISOString())}::timestamptz[],
      ${column(({ category }) => category)}::text[],
      ${column(({ action }) => action)}::text[],
      ${column(({ resourceKind }) => resourceKind)}::text[],
      ${column(({ resourceId }) => resourceId)}::text[],
      ${column(({ outcome }) => outcome)}::text[],
      ${column(({ latencyMs }) => latencyMs)}::int[],
      ${column(({ errorCode }) => errorCode)}::text[])
    on conflict do nothing`
}

/** Also as the role of jobs: the function belongs to the owner of the table. */
export function keepPartitions(daysAhead: number): Statement<{ made: number }> {
  return sql<{ made: number }>`select keep_activity_partitions(${daysAhead}::int) as made`
}
