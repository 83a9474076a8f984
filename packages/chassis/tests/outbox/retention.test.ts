import { parseId } from '@melmastoon/domain'
import { describe, expect, it } from 'vitest'
import { rawSql, sql } from '../../src/db/index.ts'
import { keepOutboxPartitions } from '../../src/jobs/index.ts'
import { pruneOutbox } from '../../src/outbox/index.ts'
import { type OutboxEnvironment, outboxEnvironment } from './outbox-environment.ts'
import { note, SCHEMA } from './outbox-schema.ts'

const RETENTION_DAYS = 7

/** An event whose id was made then. */
async function eventOf(env: OutboxEnvironment, key: string, daysAgo: number) {
  const [row] = await env.admin.query(sql<{ floor: string }>`
    select outbox_id_floor(now() - make_interval(days => ${daysAgo}::int)) as floor`)
  const event = note(key, 0)
  return { ...event, eventId: parseId('evt', `${row?.floor}${event.eventId.slice(-16)}`) }
}

/** The partition of a day in the past, as it was made before that day. */
async function makePartition(env: OutboxEnvironment, daysAgo: number): Promise<string> {
  const [row] = await env.admin.query(sql<{ name: string; low: string; high: string }>`
    select 'outbox_log_' || to_char(day, 'YYYYMMDD') as name,
      outbox_id_floor(day::timestamp at time zone 'UTC') as low,
      outbox_id_floor((day + 1)::timestamp at time zone 'UTC') as high
    from (select (now() at time zone 'UTC')::date - ${daysAgo}::int as day) as days`)
  const { name = '', low = '', high = '' } = row ?? {}
  for (const text of [
    `create table ${name} (like outbox_log including all)`,
    `alter table ${name} owner to ${SCHEMA}_owner`,
    `alter table outbox_log attach partition ${name} for values from ('${low}') to ('${high}')`,
  ]) {
    await env.admin.query(rawSql(text))
  }
  return name
}

const partitions = async (env: OutboxEnvironment) =>
  (
    await env.admin.query(sql<{ name: string }>`
      select inhrelid::regclass::text as name from pg_inherits
      where inhparent = 'outbox_log'::regclass order by 1`)
  ).map(({ name }) => name)

const progressed = (env: OutboxEnvironment, days: number) =>
  env.admin.query(sql`
    update outbox_progress set at = at - make_interval(days => ${days}::int)`)

describe('retention of the log', () => {
  it('drops a day when all of its events were published long ago', async () => {
    await using env = await outboxEnvironment()
    const day = await makePartition(env, 20)
    await env.append(await eventOf(env, 'k', 20))
    await env.relay().drainOnce()
    await progressed(env, 8)
    const [before] = await env.admin.query(
      sql`select tableoid::regclass::text as t from outbox_log`,
    )
    expect(before).toEqual({ t: day })
    expect(await keepOutboxPartitions(env.relayDb, RETENTION_DAYS)).toEqual({ made: 7, dropped: 1 })
    expect(await partitions(env)).not.toContain(day)
    expect(await keepOutboxPartitions(env.relayDb, RETENTION_DAYS)).toEqual({ made: 0, dropped: 0 })
  })

  it.each([
    ['was not published', false, 0],
    ['was published recently', true, 6],
  ])('control: keeps a day with an event that %s, and indexes it', async (_, isPublished, days) => {
    await using env = await outboxEnvironment()
    const day = await makePartition(env, 20)
    const relay = env.relay()
    await env.append(note('other', 0))
    await relay.drainOnce()
    await progressed(env, 8)
    await env.append(await eventOf(env, 'k', 20))
    if (isPublished) await relay.drainOnce()
    await env.admin.query(sql`
      update outbox_progress set at = now() - make_interval(days => ${days}::int)
      where at > now() - interval '1 day'`)
    expect(await keepOutboxPartitions(env.relayDb, RETENTION_DAYS)).toMatchObject({ dropped: 0 })
    expect(await partitions(env)).toContain(day)
    const indexes = await env.admin.query(sql<{ name: string }>`
      select indexname as name from pg_indexes where tablename = ${day} order by 1`)
    expect(indexes.map(({ name }) => name)).toEqual(
      expect.arrayContaining([`ix_${day}_subject`, `ix_${day}_tenant_id`]),
    )
  })

  it('new events find the partition of their day', async () => {
    await using env = await outboxEnvironment()
    await keepOutboxPartitions(env.relayDb, RETENTION_DAYS)
    const tomorrow = await eventOf(env, 'k', -1)
    await env.append(tomorrow, note('today', 0))
    const rows = await env.admin.query(sql<{ t: string }>`
      select tableoid::regclass::text as t from outbox_log order by event_id`)
    expect(rows.map(({ t }) => t)).toEqual([
      'outbox_log_default',
      expect.stringMatching(/^outbox_log_\d{8}$/),
    ])
    await env.relay().drainOnce()
    expect(await env.archived()).toHaveLength(2)
    expect(await partitions(env)).toHaveLength(8)
  })

  it('deletes old rows of the default partition in batches, and no others', async () => {
    await using env = await outboxEnvironment()
    const old = await Promise.all(['a', 'b', 'c'].map((key) => eventOf(env, key, 20)))
    await env.append(...old)
    await env.relay().drainOnce()
    await progressed(env, 8)
    const unpublished = await eventOf(env, 'd', 20)
    await env.append(unpublished, note('e', 0))
    const prune = () => env.relayDb.query(pruneOutbox(RETENTION_DAYS, 2))
    expect(await prune()).toEqual([{ pruned: 2 }])
    expect(await prune()).toEqual([{ pruned: 1 }])
    expect(await prune()).toEqual([{ pruned: 0 }])
    const left = (await env.log()).map(({ eventId }) => eventId)
    expect(left).toContain(unpublished.eventId)
    expect(left).toHaveLength(2)
  })
})
