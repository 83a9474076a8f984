import { type Statement, sql } from '../../db/index.ts'

export interface NewRun {
  name: string
  /** Differs for every run, so it is the fence: a later write by an older run matches nothing. */
  runner: string
  leaseSeconds: number
  /** Refuses when another run began this recently: several instances share one schedule. */
  quietSeconds: number
}

/** No row when somebody else holds the lease. */
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
