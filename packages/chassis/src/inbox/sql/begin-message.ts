import { type Statement, sql } from '../../db/index.ts'

export interface InboxKey {
  messageId: string
  subject: string
}

/**
 * In the transaction of the effect. No row means that the message was processed before. One that
 * was given up and comes again was replayed by somebody: it gets a new life. A second delivery at
 * the same time waits here for the first one to end.
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
