import { type SqlFragment, type Statement, sql } from '@melmastoon/chassis/db'
import { type Id, idToUuid, type PropertyId } from '@melmastoon/domain'
import { operatorsAt } from '../devices/device-sql.ts'
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

export interface ActivityFilter {
  readonly from: Date
  readonly to: Date
  /** Only rows of this operator. */
  readonly own: string | null
  /** Only rows of these properties; null: of all, and of none. */
  readonly properties: readonly PropertyId[] | null
  /** For managers: besides the rows of the properties. */
  readonly besides?: {
    /** All rows of this operator. */
    readonly own: string | null
  }
  /** Rows older than this one. */
  readonly after: { readonly id: string; readonly atMs: number } | null
  readonly limit: number
}

export interface ListedRow {
  readonly id: string
  readonly propertyId: string | null
  readonly operatorId: string
  readonly deviceId: string
  readonly occurredAt: Date
  readonly category: string
  readonly action: string
  readonly resourceKind: string | null
  readonly resourceId: string | null
  readonly outcome: 'success' | 'failure'
  readonly latencyMs: number | null
  readonly errorCode: string | null
}

/** An id is made after the activity, and by another clock in tests. */
const MARGIN_MS = 3_600_000

/** Newest first. The bounds of the id decide which partitions are read. */
export function selectActivity(filter: ActivityFilter): Statement<ListedRow> {
  const { from, to, own, after, limit } = filter
  return sql<ListedRow>`
    select id, property_id as "propertyId", operator_id as "operatorId", device_id as "deviceId",
      occurred_at as "occurredAt", category, action, resource_kind as "resourceKind",
      resource_id as "resourceId", outcome, latency_ms as "latencyMs", error_code as "errorCode"
    from operator_activity
    where occurred_at >= ${from} and occurred_at < ${to}
      and id >= ${idFloor(from.getTime() - MARGIN_MS)}::uuid
      and id < ${idFloor(to.getTime() + MARGIN_MS)}::uuid
      ${own === null ? NOTHING : sql`and operator_id = ${own}`}
      ${ofProperties(filter)}
      ${after === null ? NOTHING : olderThan(after)}
    order by occurred_at desc, id desc limit ${limit}`
}

const NOTHING = sql``

/** Rows without a property belong to the properties at which their operator works. */
function ofProperties({ properties, besides }: ActivityFilter): SqlFragment {
  if (properties === null) return NOTHING
  const ids = properties.map((id) => idToUuid(id))
  if (besides === undefined) return sql`and property_id = any (${ids}::uuid[])`
  return sql`and (property_id = any (${ids}::uuid[]) or operator_id = ${besides.own}
    or property_id is null and operator_id in (${operatorsAt(properties)}))`
}

const olderThan = ({ id, atMs }: NonNullable<ActivityFilter['after']>): SqlFragment =>
  sql`and (occurred_at, id) < (${new Date(atMs)}::timestamptz, ${id}::uuid)`

/** The smallest id of a millisecond. */
function idFloor(timeMs: number): string {
  const hex = Math.max(0, timeMs).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`
}
