import { type Queryable, type Statement, sql } from '../db/index.ts'

/** Publishes a dead or an already published event once more. False when there is no such event. */
export async function replayEvent(db: Queryable, eventId: string): Promise<boolean> {
  const revived = await db.query(reviveDead(eventId))
  if (revived.length > 0) return true
  return (await db.query(reopenPublished(eventId))).length > 0
}

const REPLAY_BATCH = 1_000

/** Everything published since a moment, for a bus that came back empty (D21). Returns the count. */
export async function replayPublishedSince(db: Queryable, since: Date): Promise<number> {
  const [moment] = await db.query(databaseNow())
  // What the relay publishes meanwhile is not replayed again.
  const span = { since, until: moment?.now ?? since }
  let count = 0
  for (;;) {
    const [batch] = await db.query(reopenPublishedBetween(span, REPLAY_BATCH))
    const taken = batch?.taken ?? 0
    count += taken
    if (taken < REPLAY_BATCH) return count
  }
}

/**
 * A dead row gets a new life in place, a published one comes back from the archive. The event keeps
 * its id, so consumers that had it do nothing; it is published again behind what its key has now.
 */
function reviveDead(eventId: string): Statement<{ eventId: string }> {
  return sql<{ eventId: string }>`
    update outbox
    set status = 'pending', dlq = false, attempts = 0, next_attempt_at = now()
    where event_id = ${eventId} and status = 'dead'
    returning event_id as "eventId"`
}

function reopenPublished(eventId: string): Statement<{ eventId: string }> {
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
function reopenPublishedBetween(
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

function databaseNow(): Statement<{ now: Date }> {
  return sql<{ now: Date }>`select now() as "now"`
}
