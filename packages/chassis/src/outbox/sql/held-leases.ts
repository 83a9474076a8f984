import { type SqlFragment, sql } from '../../db/index.ts'

export interface HeldLease {
  shard: number
  fence: number
}

export interface LeaseProof {
  owner: string
  leases: readonly HeldLease[]
  /** False shows what the fence prevents; `createRelay` always proves. */
  fenced: boolean
}

/**
 * The shards of `leases` that are still ours. The share lock makes it true until the statement
 * commits: taking a lease skips locked rows. Owner and fence decide, not the clock: a lease that
 * lapsed and that nobody took is still ours to settle, and the fence changes with every new holder.
 */
export function heldLeases({ owner, leases, fenced }: LeaseProof): SqlFragment {
  const shards = leases.map((lease) => lease.shard)
  if (!fenced) return sql`select unnest(${shards}::smallint[]) as shard`
  const fences = leases.map((lease) => lease.fence)
  return sql`
    select l.shard
    from outbox_lease l
    join unnest(${shards}::smallint[], ${fences}::bigint[]) as f (shard, fence)
      on f.shard = l.shard and f.fence = l.fence
    where l.owner = ${owner}
    for share of l`
}
