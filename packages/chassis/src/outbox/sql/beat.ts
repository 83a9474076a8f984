import { type Statement, sql } from '../../db/index.ts'

export interface BeatRow {
  shards: number[]
  liveRelays: number
}

/**
 * Says that this relay is alive, renews its leases and counts the relays. Presence is a row in
 * `job_run`, because a relay that has no shard yet is in no lease row, and the others must make
 * room for it.
 */
export function beat(owner: string, leaseSeconds: number): Statement<BeatRow> {
  return sql<BeatRow>`
    with present as (
      insert into job_run (name, runner, lease_until, last_started_at)
      values ('outbox-relay/' || ${owner}, ${owner}, now() + make_interval(secs => ${leaseSeconds}),
        now())
      on conflict (name) do update set lease_until = excluded.lease_until
    ), forgotten as (
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
