import { type Statement, sql } from '../db/index.ts'

export interface NewRun {
  name: string
  /** Differs for every run, so it is the fence: a later write by an older run matches nothing. */
  runner: string
  leaseSeconds: number
  /** No run when another one began this recently: several instances share one schedule. */
  quietSeconds: number
}

/** No row when another run holds the lease. */
export function takeJob(run: NewRun): Statement<{ runner: string }> {
  return sql<{ runner: string }>`
    insert into job_run as run (name, runner, lease_until, last_started_at)
    values (${run.name}, ${run.runner},
      now() + make_interval(secs => ${run.leaseSeconds}::float8), now())
    on conflict (name) do update
      set runner = excluded.runner,
          lease_until = excluded.lease_until,
          last_started_at = excluded.last_started_at
      where (run.lease_until is null or run.lease_until <= now())
        and (run.last_started_at is null
          or run.last_started_at <= now() - make_interval(secs => ${run.quietSeconds}::float8))
    returning run.runner`
}

/** No row when the lease expired and another run took it. */
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

/** Stores the result and releases the lease, only while the run still owns it. */
export function finishJob(run: {
  name: string
  runner: string
  result: object
}): Statement<{ name: string }> {
  return sql<{ name: string }>`
    update job_run
    set lease_until = null, last_finished_at = now(),
      last_result = ${JSON.stringify(run.result)}::jsonb
    where name = ${run.name} and runner = ${run.runner} and lease_until is not null
    returning name`
}
