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

export interface ChangeRow {
  readonly kind: 'room' | 'task'
  readonly resource_id: string
  /** As digits. */
  readonly seq: string
  readonly status: string
  readonly version: number
  readonly changed_at: string
}

export interface FeedRow {
  readonly epoch: string
  /** The position of the cursor, as digits; null if the feed does not know it. */
  readonly known_seq: string | null
  /** Null where nothing has changed since. */
  readonly change: ChangeRow | null
}

export interface FeedPosition {
  readonly tenant: string
  readonly property: string
  readonly epoch: string | null
  readonly seq: string | null
}

/**
 * A row for each change since the position, or for all changes if it is unknown: of another epoch,
 * or older than the retained changes. One statement, so that feed and changes belong together.
 */
export function selectChanges(position: FeedPosition, rows: number): Statement<FeedRow> {
  const { tenant, property, epoch, seq } = position
  return sql<FeedRow>`
    with feed as materialized (
      select tenant_id, property_id, f.epoch,
        case when f.epoch = ${epoch}::text and ${seq}::bigint between pruned_seq and last_seq
          then ${seq}::bigint end as known_seq
      from sandbox.sync_feed f
      where tenant_id = ${tenant}::uuid and property_id = ${property}::uuid)
    select f.epoch, f.known_seq::text, c.change
    from feed f left join lateral (
      select s.seq, json_build_object('kind', kind, 'resource_id', resource_id, 'seq', s.seq::text,
        'status', status, 'version', version, 'changed_at', changed_at) as change
      from sandbox.sync_change s
      where s.tenant_id = f.tenant_id and s.property_id = f.property_id
        and s.seq > coalesce(f.known_seq, 0)
      order by s.seq limit ${rows}) c on true
    order by c.seq`
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
