import { type Statement, sql } from '@melmastoon/chassis/db'

export interface NewChange {
  readonly tenant: string
  readonly property: string
  readonly kind: 'room' | 'task'
  readonly resource: string
  readonly status: string
  readonly version: number
  readonly changedAt: string
}

/**
 * The row of the property is locked until the transaction ends, so numbers are visible in their
 * order. An event that arrives late, with an older version, changes nothing.
 */
export function recordChange(change: NewChange, newEpoch: string): Statement<unknown> {
  return sql`
    with feed as (
      insert into sandbox.sync_feed as f (tenant_id, property_id, epoch, last_seq)
      values (${change.tenant}::uuid, ${change.property}::uuid, ${newEpoch}, 1)
      on conflict (tenant_id, property_id) do update set last_seq = f.last_seq + 1
      returning tenant_id, property_id, last_seq)
    insert into sandbox.sync_change as c (tenant_id, property_id, kind, resource_id, seq, status,
      version, changed_at)
    select tenant_id, property_id, ${change.kind}, ${change.resource}::uuid, last_seq,
      ${change.status}, ${change.version}, ${change.changedAt}::timestamptz
    from feed
    on conflict (tenant_id, property_id, kind, resource_id) do update
      set seq = excluded.seq, status = excluded.status, version = excluded.version,
        changed_at = excluded.changed_at
      where c.version < excluded.version`
}

export interface FeedRow {
  readonly epoch: string
  /** As digits. */
  readonly last_seq: string
  readonly pruned_seq: string
}

export function selectFeed(tenant: string, property: string): Statement<FeedRow> {
  return sql<FeedRow>`
    select epoch, last_seq::text, pruned_seq::text from sandbox.sync_feed
    where tenant_id = ${tenant}::uuid and property_id = ${property}::uuid`
}

export interface ChangeRow {
  readonly kind: 'room' | 'task'
  readonly resource_id: string
  readonly seq: string
  readonly status: string
  readonly version: number
  readonly changed_at: Date
}

export function selectChanges(
  { tenant, property, after }: { tenant: string; property: string; after: bigint },
  rows: number,
): Statement<ChangeRow> {
  return sql<ChangeRow>`
    select kind, resource_id, seq::text, status, version, changed_at from sandbox.sync_change
    where tenant_id = ${tenant}::uuid and property_id = ${property}::uuid
      and seq > ${String(after)}::bigint
    order by seq limit ${rows}`
}

/** Tasks that have not changed for some days; a device that knows less reloads everything. */
export function pruneChanges(days: number, rows: number): Statement<{ pruned: number }> {
  return sql<{ pruned: number }>`
    with pruned as (
      delete from sandbox.sync_change c using (
        select tenant_id, property_id, kind, resource_id from sandbox.sync_change
        where kind = 'task' and changed_at < now() - make_interval(days => ${days}::int)
        limit ${rows}) old
      where c.tenant_id = old.tenant_id and c.property_id = old.property_id
        and c.kind = old.kind and c.resource_id = old.resource_id
      returning c.tenant_id, c.property_id, c.seq),
    marked as (
      update sandbox.sync_feed f set pruned_seq = greatest(f.pruned_seq, p.seq)
      from (select tenant_id, property_id, max(seq) as seq from pruned group by 1, 2) p
      where f.tenant_id = p.tenant_id and f.property_id = p.property_id)
    select count(*)::int as pruned from pruned`
}
