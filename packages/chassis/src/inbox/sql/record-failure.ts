import { type Statement, sql } from '../../db/index.ts'
import type { InboxKey } from './begin-message.ts'

export interface InboxFailure extends InboxKey {
  error: string
  maxAttempts: number
}

/** After the effect's rollback, in a transaction of its own. What was dead begins a new life. */
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
