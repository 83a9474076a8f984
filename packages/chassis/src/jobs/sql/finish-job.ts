import { type Statement, sql } from '../../db/index.ts'

/** Stores the result and gives the lease back, only while the run still owns it. */
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
