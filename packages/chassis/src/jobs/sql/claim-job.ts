import { type Statement, sql } from '../../db/index.ts'

export interface JobClaim {
  name: string
  /** Differs for every run, so it is the fence: a later write by an older run matches nothing. */
  runner: string
  leaseSeconds: number
  /** Refuses when another run began this recently: several instances share one schedule. */
  quietSeconds: number
}

/** No row when somebody else holds the lease. */
export function claimJob(claim: JobClaim): Statement<{ runner: string }> {
  return sql<{ runner: string }>`
    insert into job_run as run (name, runner, lease_until, last_started_at)
    values (${claim.name}, ${claim.runner},
      now() + make_interval(secs => ${claim.leaseSeconds}::float8), now())
    on conflict (name) do update
      set runner = excluded.runner,
          lease_until = excluded.lease_until,
          last_started_at = excluded.last_started_at
      where (run.lease_until is null or run.lease_until <= now())
        and (run.last_started_at is null
          or run.last_started_at <= now() - make_interval(secs => ${claim.quietSeconds}::float8))
    returning run.runner`
}
