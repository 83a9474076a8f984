import { type Statement, sql } from '../../db/index.ts'

export interface OutboxDepth {
  depth: number
  dead: number
  lagSeconds: number
}

export function outboxDepth(): Statement<OutboxDepth> {
  return sql<OutboxDepth>`
    select count(*) filter (where not dlq)::int as "depth",
      count(*) filter (where dlq)::int as "dead",
      coalesce(extract(epoch from now() - min(enqueued_at) filter (where not dlq)), 0)::float8
        as "lagSeconds"
    from outbox`
}
