import { type Statement, sql } from '../../db/index.ts'

export interface DeadEvent {
  eventId: string
  subject: string
  attempts: number
  enqueuedAt: Date
  lastError: string | null
}

/** Without the payload: what is shown to an operator may end in a ticket. */
export function deadEvents(limit: number): Statement<DeadEvent> {
  return sql<DeadEvent>`
    select event_id as "eventId", subject, attempts, enqueued_at as "enqueuedAt",
      last_error as "lastError"
    from outbox where dlq order by seq limit ${limit}`
}
