import { type Statement, sql } from '@melmastoon/chassis/db'

export interface FailureRow {
  failures: number
  since: Date
}

export function selectFailures(accountHash: string): Statement<FailureRow> {
  return sql<FailureRow>`
    select failures, since from sandbox.iam_sign_in_failure where account_hash = ${accountHash}`
}

/** Counts from 1 again when the last period has ended. */
export function countFailure(
  accountHash: string,
  { now, periodStart }: { readonly now: Date; readonly periodStart: Date },
): Statement<FailureRow> {
  return sql<FailureRow>`
    insert into sandbox.iam_sign_in_failure as f (account_hash, failures, since)
    values (${accountHash}, 1, ${now}::timestamptz)
    on conflict (account_hash) do update set
      failures = case when f.since < ${periodStart}::timestamptz then 1 else f.failures + 1 end,
      since = case when f.since < ${periodStart}::timestamptz then ${now}::timestamptz
        else f.since end
    returning failures, since`
}

export function deleteFailures(accountHash: string): Statement<unknown> {
  return sql`delete from sandbox.iam_sign_in_failure where account_hash = ${accountHash}`
}
