import { type Statement, sql } from '@melmastoon/chassis/db'

export interface EventRow {
  event_id: string
  subject: string
  /** As it was published; without it, it waits. */
  published_at: Date | null
  occurred_at: Date
  status: string
}

/** The newest first; ids grow with time. Each half reads the end of an index. */
export function recentEvents(limit: number): Statement<EventRow> {
  return sql<EventRow>`
    select * from (
      (select event_id, subject, published_at, occurred_at, status
       from sandbox.outbox order by event_id desc limit ${limit})
      union all
      (select event_id, subject, published_at, occurred_at, status
       from sandbox.outbox_published order by event_id desc limit ${limit})
    ) recent
    order by event_id desc limit ${limit}`
}
