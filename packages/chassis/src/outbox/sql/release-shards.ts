import { type Statement, sql } from '../../db/index.ts'

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
