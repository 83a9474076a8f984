import { type Statement, sql } from '../db/index.ts'

export interface InboxKey {
  messageId: string
  subject: string
}

/**
 * In the transaction of the effect. No row means that the message was processed before. A dead one
 * that is delivered again was replayed by an operator: its attempts start over. A concurrent second
 * delivery waits here for the first one to end.
 */
export function beginMessage({ messageId, subject }: InboxKey): Statement<{ attempts: number }> {
  return sql<{ attempts: number }>`
    insert into inbox (message_id, subject, attempts, processed_at)
    values (${messageId}, ${subject}, 1, now())
    on conflict (message_id) do update
    set attempts = case when inbox.dead then 1 else inbox.attempts + 1 end, dead = false,
      processed_at = now()
    where inbox.processed_at is null
    returning attempts`
}

export interface InboxFailure extends InboxKey {
  error: string
  maxAttempts: number
}

/** After the rollback of the effect. The attempts of a dead message start over. */
export function recordFailure(
  failure: InboxFailure,
): Statement<{ attempts: number; dead: boolean }> {
  const { messageId, subject, error, maxAttempts } = failure
  return sql<{ attempts: number; dead: boolean }>`
    insert into inbox (message_id, subject, attempts, last_error, dead)
    values (${messageId}, ${subject}, 1, ${error}, 1 >= ${maxAttempts}::int)
    on conflict (message_id) do update
    set attempts = case when inbox.dead then 1 else inbox.attempts + 1 end,
      last_error = excluded.last_error,
      dead = case when inbox.dead then 1 else inbox.attempts + 1 end >= ${maxAttempts}
    where inbox.processed_at is null
    returning attempts, dead`
}

/** Retains messages that are neither processed nor dead: an operator must check them. */
export function pruneInbox(keepDays: number, limit: number): Statement<{ pruned: number }> {
  return sql<{ pruned: number }>`
    with old as (
      select message_id from inbox
      where received_at < now() - make_interval(days => ${keepDays}::int)
        and (processed_at is not null or dead)
      order by received_at limit ${limit}::int
    ), gone as (
      delete from inbox i using old where i.message_id = old.message_id returning 1
    )
    select count(*)::int as pruned from gone`
}
