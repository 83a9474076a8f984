import { type Statement, sql } from '../../db/index.ts'

export interface InboxKey {
  messageId: string
  subject: string
}

/**
 * In the transaction of the effect. No row means that the message was processed, or given up, before. A
 * second delivery at the same time waits here for the first one to end.
 */
export function beginMessage({ messageId, subject }: InboxKey): Statement<{ attempts: number }> {
  return sql<{ attempts: number }>`
    insert into inbox (message_id, subject, attempts, processed_at)
    values (${messageId}, ${subject}, 1, now())
    on conflict (message_id) do update
    set attempts = inbox.attempts + 1, processed_at = now()
    where inbox.processed_at is null and not inbox.dead
    returning attempts`
}
