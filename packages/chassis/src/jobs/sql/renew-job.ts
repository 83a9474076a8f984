import { type Statement, sql } from '../../db/index.ts'

/** No row when the lease has lapsed and another run took it. */
export function renewJob(lease: {
  name: string
  runner: string
  leaseSeconds: number
}): Statement<{ name: string }> {
  return sql<{ name: string }>`
    update job_run
    set lease_until = now() + make_interval(secs => ${lease.leaseSeconds}::float8)
    where name = ${lease.name} and runner = ${lease.runner} and lease_until is not null
    returning name`
}
