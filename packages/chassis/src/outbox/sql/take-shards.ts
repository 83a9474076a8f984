import { type Statement, sql } from '../../db/index.ts'

export interface TakeShards {
  owner: string
  leaseSeconds: number
  count: number
}

/** Only free or lapsed leases; the fence tells the new holder from the old one. */
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
