import { type Statement, sql } from '../db/index.ts'

export interface HeartbeatRow {
  shards: number[]
  liveRelays: number
}

/**
 * Records that this relay is alive, renews its leases and counts the relays. Presence is a row in
 * `job_run`, because a relay that has no shard yet is in no lease row, and the others must release
 * shards for it.
 */
export function heartbeat(owner: string, leaseSeconds: number): Statement<HeartbeatRow> {
  return sql<HeartbeatRow>`
    with present as (
      insert into job_run (name, runner, lease_until, last_started_at)
      values ('outbox-relay/' || ${owner}, ${owner}, now() + make_interval(secs => ${leaseSeconds}),
        now())
      on conflict (name) do update set lease_until = excluded.lease_until
    ), removed as (
      delete from job_run
      where name like 'outbox-relay/%' and lease_until < now() - interval '1 hour'
    ), renewed as (
      update outbox_lease set lease_until = now() + make_interval(secs => ${leaseSeconds})
      where owner = ${owner}
      returning shard
    )
    select coalesce((select array_agg(shard order by shard) from renewed), '{}') as "shards",
      (select count(*)::int + 1 from job_run
        where name like 'outbox-relay/%' and runner <> ${owner} and lease_until > now())
        as "liveRelays"`
}

export interface TakeShards {
  owner: string
  leaseSeconds: number
  count: number
}

/** Only free or expired leases; the fence distinguishes the new holder from the old one. */
export function takeShards(input: TakeShards): Statement<{ shard: number }> {
  const { owner, leaseSeconds, count } = input
  return sql<{ shard: number }>`
    with free as (
      select shard from outbox_lease
      where owner is null or lease_until is null or lease_until <= now()
      order by shard
      limit ${count}
      for update skip locked
    )
    update outbox_lease l
    set owner = ${owner}, fence = l.fence + 1,
      lease_until = now() + make_interval(secs => ${leaseSeconds})
    from free
    where l.shard = free.shard
    returning l.shard`
}

export function releaseShards(owner: string, shards: readonly number[]): Statement<unknown> {
  return sql`
    update outbox_lease set owner = null, lease_until = null
    where owner = ${owner} and shard = any(${shards}::smallint[])`
}

/** Everything this relay holds, its presence included. */
export function releaseRelay(owner: string): Statement<unknown> {
  return sql`
    with gone as (delete from job_run where name = 'outbox-relay/' || ${owner})
    update outbox_lease set owner = null, lease_until = null where owner = ${owner}`
}

const JOB_NAME = 'outbox-bus'

export interface KnownEpoch {
  epoch: string | null
  /** What was published after this may be lost, if the bus is another one now. */
  since: Date
}

/** The epoch the relays saw last, stored where a loss of the bus does not affect it. */
export function knownEpoch(marginSeconds: number): Statement<KnownEpoch> {
  return sql<KnownEpoch>`
    select max(last_result ->> 'epoch') as "epoch",
      coalesce(max(last_finished_at), now()) - make_interval(secs => ${marginSeconds}) as "since"
    from job_run where name = ${JOB_NAME}`
}

export function storeEpoch(epoch: string): Statement<unknown> {
  return sql`
    insert into job_run (name, last_finished_at, last_result)
    values (${JOB_NAME}, now(), jsonb_build_object('epoch', ${epoch}::text))
    on conflict (name) do update
    set last_finished_at = excluded.last_finished_at, last_result = excluded.last_result`
}
