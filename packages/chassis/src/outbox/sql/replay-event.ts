import { type Statement, sql } from '../../db/index.ts'

/**
 * A dead row gets a new life in place, a published one comes back from the archive. The event keeps
 * its id, so consumers that had it do nothing; it is published again behind what its key has now.
 */
export function reviveDead(eventId: string): Statement<{ eventId: string }> {
  return sql<{ eventId: string }>`
    update outbox
    set status = 'pending', dlq = false, attempts = 0, next_attempt_at = now()
    where event_id = ${eventId} and status = 'dead'
    returning event_id as "eventId"`
}

export function reopenPublished(eventId: string): Statement<{ eventId: string }> {
  return sql<{ eventId: string }>`
    with taken as (delete from outbox_published where event_id = ${eventId} returning *)
    insert into outbox (event_id, tenant_id, subject, payload, envelope, occurred_at, ordering_key)
    select event_id, tenant_id, subject, payload,
      jsonb_set(envelope, '{publishedAt}', 'null'::jsonb), occurred_at, ordering_key
    from taken
    returning event_id as "eventId"`
}

/**
 * All of a span of time, for a bus that lost what it had. They keep their seq, so that they come
 * before what their key has now: the bus does not have them any more.
 */
export function reopenPublishedBetween(
  { since, until }: { since: Date; until: Date },
  limit: number,
): Statement<{ taken: number }> {
  return sql<{ taken: number }>`
    with chosen as (
      select event_id from outbox_published
      where published_at >= ${since} and published_at < ${until}
      order by seq limit ${limit}
    ), taken as (
      delete from outbox_published p using chosen where p.event_id = chosen.event_id
      returning p.*
    ), reopened as (
      insert into outbox (seq, event_id, tenant_id, subject, payload, envelope, occurred_at,
        ordering_key)
      overriding system value
      select coalesce(seq, 0), event_id, tenant_id, subject, payload,
        jsonb_set(envelope, '{publishedAt}', 'null'::jsonb), occurred_at, ordering_key
      from taken
      on conflict (event_id) do nothing
    )
    select count(*)::int as "taken" from taken`
}

export function databaseNow(): Statement<{ now: Date }> {
  return sql<{ now: Date }>`select now() as "now"`
}
