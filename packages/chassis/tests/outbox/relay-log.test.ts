import { eventually, latch } from '@melmastoon/testkit'
import { describe, expect, it } from 'vitest'
import type { EventBus } from '../../src/bus/index.ts'
import { type Database, rollback, type Statement, sql } from '../../src/db/index.ts'
import { appendEvents, outboxDepth } from '../../src/outbox/index.ts'
import { readBatch } from '../../src/outbox/read-batch-sql.ts'
import { ShardedRelay } from '../../src/outbox/relay.ts'
import { type OutboxEnvironment, orderViolations, outboxEnvironment } from './outbox-environment.ts'
import { migrations, note, SCHEMA } from './outbox-schema.ts'

const ignore = () => undefined

/** Keys of one shard: the cursor of the others must not hide a defect. */
async function neighbours(env: OutboxEnvironment, count: number): Promise<string[]> {
  const rows = await env.admin.query(sql<{ key: string }>`
    select 'key' || n as key from generate_series(1, 2000) as n
    where (hashtextextended('key' || n, 0) & 15) = 3 limit ${count}`)
  return rows.map(({ key }) => key)
}

/** Appends in a transaction that commits when told to. */
async function appendSlowly(db: Database, key: string, ordinal = 0) {
  const [written, mayCommit] = [latch(), latch()]
  const done = db.transaction(async (tx) => {
    await appendEvents(tx, [note(key, ordinal)])
    written.open()
    await mayCommit.promise
  })
  await written.promise
  return {
    async commit() {
      mayCommit.open()
      await done
    },
  }
}

const keysOf = async (env: OutboxEnvironment) =>
  (await env.arrivals()).map((arrival) => arrival.noteId)

const seqAbovePublished = () => sql<{ key: string }>`
  select ordering_key as key from outbox_log
  where seq > (select max(seq) from outbox_event where status = 'published')`

const belowOldestTransaction = () => sql<{ key: string }>`
  select ordering_key as key from outbox_log where xid < pg_snapshot_xmin(pg_current_snapshot())`

describe('the cursor of a shard', () => {
  it('returns to a transaction that commits behind it', async () => {
    await using env = await outboxEnvironment()
    const [slow = '', ...fast] = await neighbours(env, 21)
    const relay = env.relay()
    const late = await appendSlowly(env.app, slow)
    await env.append(...fast.map((key) => note(key, 0)))
    await relay.drainOnce()
    expect((await keysOf(env)).toSorted()).toEqual(fast.toSorted())
    await late.commit()
    // Control: a cursor that only compares seq skips it.
    expect(await env.admin.query(seqAbovePublished())).toEqual([])
    expect(await env.pending()).toBe(1)
    await relay.drainOnce()
    expect((await keysOf(env)).slice(fast.length)).toEqual([slow])
    expect(await env.pending()).toBe(0)
  })

  it('does not wait for a transaction that stays open', async () => {
    await using env = await outboxEnvironment()
    const [open = '', ...others] = await neighbours(env, 5)
    const idle = await appendSlowly(env.app, open)
    const relay = env.relay()
    for (const key of others) {
      await env.append(note(key, 0))
      await relay.drainOnce()
    }
    expect(await keysOf(env)).toEqual(others)
    // Control: what is older than every open transaction would be nothing.
    expect(await env.admin.query(belowOldestTransaction())).toEqual([])
    await idle.commit()
  })

  it('publishes a backlog in order and once, while transactions commit before and behind it', async () => {
    await using env = await outboxEnvironment()
    const [slow = '', ...keys] = await neighbours(env, 8)
    const counts = new Map<string, number>()
    const next = (key: string) => {
      const ordinal = counts.get(key) ?? 0
      counts.set(key, ordinal + 1)
      return note(key, ordinal)
    }
    let published = 0
    let isWriting = true
    let late = await appendSlowly(env.app, slow)
    const bus: EventBus = {
      ...env.bus,
      async publish(messages) {
        published += 1
        if (isWriting && published % 4 === 0) {
          await late.commit()
          await env.append(...keys.map(next))
          late = await appendSlowly(env.app, slow, published / 4)
        }
        return await env.bus.publish(messages)
      },
    }
    for (let round = 0; round < 20; round += 1) await env.append(...keys.map(next))
    const relay = env.relay({ bus, batchSize: 9, queues: 1 })
    await eventually(async () => {
      await relay.drainOnce()
      if (published > 12) isWriting = false
      expect(isWriting).toBe(false)
    })
    await late.commit()
    await relay.drainOnce()
    expect(await env.pending()).toBe(0)
    const arrived = await env.arrivals()
    const written = await env.log()
    expect(arrived.map(({ eventId }) => eventId).toSorted()).toEqual(
      written.map(({ eventId }) => eventId).toSorted(),
    )
    expect(written.length).toBeGreaterThan(140)
    expect(orderViolations(arrived)).toBe(0)
  })

  it('stops before a row that the broker did not receive, and repeats what is behind it', async () => {
    await using env = await outboxEnvironment()
    const keys = await neighbours(env, 4)
    await env.append(...keys.map((key) => note(key, 0)))
    let isDown = true
    const bus: EventBus = {
      ...env.bus,
      async publish(messages) {
        if (!isDown) return await env.bus.publish(messages)
        const unavailable = { ok: false, kind: 'unavailable', reason: 'lost' } as const
        const sent = messages.filter((_, index) => index !== 2)
        await env.bus.publish(sent)
        return messages.map((_, index) => (index === 2 ? unavailable : { ok: true }))
      },
    }
    const relay = env.relay({ bus })
    await relay.drainOnce()
    expect(await env.pending()).toBe(2)
    isDown = false
    await relay.drainOnce()
    const [a, b, c, d] = keys
    expect(await keysOf(env)).toEqual([a, b, d, c, d])
    expect((await env.archived()).map((row) => row.attempts)).toEqual([0, 0, 0, 0])
  })
})

interface Explained {
  'QUERY PLAN': { Plan: { 'Shared Hit Blocks': number; 'Shared Read Blocks': number } }[]
}

/** How many pages the database looks at. */
async function pagesOf(db: Database, { text, values }: Statement<unknown>): Promise<number> {
  const explained = `explain (analyze, buffers, format json) ${text}`
  const [row] = await db.query<Explained>({ text: explained, values })
  const plan = row?.['QUERY PLAN'][0]?.Plan
  return (plan?.['Shared Hit Blocks'] ?? 0) + (plan?.['Shared Read Blocks'] ?? 0)
}

describe('a long log', () => {
  it('costs nothing to read beyond its new rows, with any statistics', async () => {
    await using env = await outboxEnvironment()
    const [key = ''] = await neighbours(env, 1)
    for (let from = 0; from < 6_000; from += 1_000) {
      await env.append(...Array.from({ length: 1_000 }, (_, index) => note(key, from + index)))
    }
    const relay = env.relay()
    await relay.drainOnce()
    const late = await appendSlowly(env.app, key, 6_001)
    await env.append(note(key, 6_000))
    await relay.drainOnce()
    await late.commit()
    const [held] = await env.admin.query(sql<{ owner: string }>`select owner from outbox_cursor`)
    const read = () => readBatch({ owner: held?.owner ?? '', shards: [3], batchSize: 500 })
    for (const prepare of [sql`select 1`, sql`analyze outbox_log`]) {
      await env.admin.query(prepare)
      expect(await env.relayDb.query(read())).toHaveLength(2)
      expect(await pagesOf(env.relayDb, read())).toBeLessThan(60)
      expect(await pagesOf(env.relayDb, outboxDepth())).toBeLessThan(200)
    }
    // Control: all of it has many more pages.
    expect(
      await pagesOf(env.admin, sql`select max(payload::text) from outbox_log`),
    ).toBeGreaterThan(600)
    await relay.drainOnce()
    expect(await env.pending()).toBe(0)
  })
})

/** Suspended after publishing until another relay has taken its shards and published as well. */
async function settleAfterTakeover({ fenced }: { fenced: boolean }) {
  await using env = await outboxEnvironment()
  await env.append(note('taken', 0))
  const [sent, mayContinue] = [latch(), latch()]
  const bus: EventBus = {
    ...env.bus,
    async publish(messages) {
      const outcomes = await env.bus.publish(messages)
      sent.open()
      await mayContinue.promise
      return outcomes
    },
  }
  let rejected = 0
  const metrics = { onFencedMark: (count: number) => (rejected += count) }
  const options = { db: env.relayDb, bus, owner: 'first', metrics, onError: ignore }
  await using first = new ShardedRelay(options, { fenced })
  const draining = first.drainOnce()
  await sent.promise
  await env.admin.query(sql`update outbox_cursor set lease_until = now() - interval '1 second'`)
  await env.admin.query(sql`delete from job_run`)
  const second = env.relay({ owner: 'second' })
  await second.drainOnce()
  await env.append(note('taken', 1))
  const cursors = () =>
    env.admin.query(sql<{ version: number; done: string }>`
    select version, done::text as done from outbox_cursor order by shard`)
  const before = await cursors()
  mayContinue.open()
  await draining
  return { rejected, moved: JSON.stringify(before) !== JSON.stringify(await cursors()) }
}

describe('two holders of a shard', () => {
  it('cannot both move its cursor', async () => {
    expect(await settleAfterTakeover({ fenced: true })).toEqual({ rejected: 1, moved: false })
  })

  it('control: without the fence the earlier holder moves it', async () => {
    expect(await settleAfterTakeover({ fenced: false })).toEqual({ rejected: 0, moved: true })
  })
})

/** As an earlier version does. */
const insertIntoOutbox = ({ eventId, ...event }: ReturnType<typeof note>) => sql`
  insert into outbox (event_id, subject, payload, envelope, occurred_at, ordering_key)
  values (${eventId}, ${event.subject}, ${JSON.stringify(event.payload)}::jsonb,
    ${JSON.stringify(event.envelope)}::jsonb, ${event.occurredAt}, ${event.orderingKey})`

describe('versions before the log', () => {
  it.each([500, 6])(
    'share the order of a key with later ones, in batches of %i',
    async (batchSize) => {
      await using env = await outboxEnvironment()
      const keys = await neighbours(env, 3)
      for (let ordinal = 0; ordinal < 30; ordinal += 1) {
        for (const [index, key] of keys.entries()) {
          const event = note(key, ordinal)
          if ((ordinal + index) % 3 === 0) await env.app.query(insertIntoOutbox(event))
          else await env.append(event)
        }
      }
      const relay = env.relay({ batchSize, queues: 1 })
      await relay.drainOnce()
      expect(orderViolations(await env.arrivals())).toBe(0)
      expect(await env.pending()).toBe(0)
      const archived = await env.archived()
      expect(archived).toHaveLength(90)
      // Control: one table after the other breaks the order.
      const inLog = new Set((await env.log()).map(({ eventId }) => eventId))
      const arrived = await env.arrivals()
      const apart = [true, false].flatMap((isLogged) =>
        arrived.filter(({ eventId }) => inLog.has(eventId) === isLogged),
      )
      expect(orderViolations(apart)).toBeGreaterThan(0)
    },
  )

  it('find no lease, so that they cannot overtake the log', async () => {
    await using env = await outboxEnvironment()
    const free = await env.relayDb.query(sql`
      select shard from outbox_lease
      where owner is null or lease_until is null or lease_until <= now()`)
    expect(free).toEqual([])
  })

  it('get all events back when the migration is rolled back', async () => {
    await using env = await outboxEnvironment()
    await env.append(note('published', 0))
    const relay = env.relay()
    await relay.drainOnce()
    await relay.stop()
    await env.append(note('open', 0), note('open', 1))
    const logged = (await migrations()).filter(({ version }) => version === '0006_outbox_log')
    const options = { url: env.database.adminUrl, schema: SCHEMA, migrations: logged }
    expect(await rollback(options)).toEqual(['0006_outbox_log'])
    const left = await env.relayDb.query(sql<{ key: string; ordinal: number }>`
      select ordering_key as key, (payload ->> 'lengthChars')::int as ordinal
      from outbox order by seq`)
    expect(left).toEqual([
      { key: 'open', ordinal: 0 },
      { key: 'open', ordinal: 1 },
    ])
    const gone = await env.relayDb.query(sql`select ordering_key as key from outbox_published`)
    expect(gone).toEqual([{ key: 'published' }])
    const leases = await env.relayDb.query(sql`select from outbox_lease where owner is null`)
    expect(leases).toHaveLength(16)
  })
})

/** As if the rows and cursors came from a cluster with many more transactions. */
async function moveToYoungerCluster(env: OutboxEnvironment): Promise<void> {
  await env.admin.query(sql`
    update outbox_log set xid = ((xid::text)::bigint + 1000000000000)::text::xid8`)
  await env.admin.query(sql`
    update outbox_cursor set done = (pg_snapshot_xmin(done)::text::bigint + 1000000000000 || ':'
      || pg_snapshot_xmax(done)::text::bigint + 1000000000000 || ':')::pg_snapshot`)
}

describe('a database restored from a dump', () => {
  it('publishes what was not published, and what is written from then on', async () => {
    await using env = await outboxEnvironment()
    const relay = env.relay()
    await env.append(note('before', 0))
    await relay.drainOnce()
    await env.append(note('open', 0))
    await moveToYoungerCluster(env)
    await env.append(note('since', 0))
    // Control: by the cursors alone the new event counts as published.
    expect(await env.pending()).toBe(1)
    await relay.drainOnce()
    await env.append(note('later', 0))
    await relay.drainOnce()
    const arrived = new Set(await keysOf(env))
    expect(arrived).toEqual(new Set(['before', 'open', 'since', 'later']))
    expect(await env.pending()).toBe(0)
  })
})
