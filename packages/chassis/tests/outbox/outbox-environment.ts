import type { OutboxEvent } from '@melmastoon/events'
import { testDatabase, testRedis } from '@melmastoon/testkit'
import { createRedisStreamsBus, streamKey } from '../../src/bus/index.ts'
import { createDatabase, type Statement, sql } from '../../src/db/index.ts'
import { appendEvents, createRelay, type RelayOptions } from '../../src/outbox/index.ts'
import { createRedis } from '../../src/redis/index.ts'
import { migrations, SCHEMA, SUBJECT } from './outbox-schema.ts'

export interface Arrival {
  eventId: string
  noteId: string
  ordinal: number
  publishedAt: string | null
}

const ignore = () => undefined

/** A test environment: a database with an outbox, a bus, and queries for assertions. */
export async function outboxEnvironment() {
  const stack = new AsyncDisposableStack()
  const database = stack.use(await testDatabase({ schema: SCHEMA, migrations: await migrations() }))
  const { sessionUrl } = await testRedis()
  const open = (url: string) =>
    stack.use(createDatabase({ url, poolMax: 5, onError: ignore, connectTimeoutMs: 2_000 }))
  const [app, relayDb, admin] = [open(database.appUrl), open(database.relayUrl), open(adminUrl())]
  const redis = createRedis(sessionUrl, { name: 'obx', onError: ignore })
  stack.defer(() => redis.disconnect())
  const bus = stack.use(createRedisStreamsBus({ redis }))
  function adminUrl() {
    return `${database.adminUrl}?options=-c%20search_path%3D${SCHEMA}`
  }
  const all = <R>(statement: Statement<R>) => admin.query(statement)
  return {
    database,
    redisUrl: sessionUrl,
    redis,
    bus,
    app,
    relayDb,
    admin,
    relay(options: Partial<RelayOptions> = {}) {
      const defaults = { db: relayDb, bus, owner: 'test', pollMs: 20, onError: ignore }
      const relay = createRelay({ ...defaults, ...options })
      stack.use(relay)
      return relay
    },
    append: (...events: OutboxEvent[]) => appendEvents(app, events),
    rows: () => all(outboxRows()),
    async pending() {
      return (await all(outboxRows())).filter((row) => row.status !== 'dead').length
    },
    effects: () => all(effectRows()),
    leases: () => all(leaseRows()),
    archived: () => all(archivedRows()),
    arrivals: () => arrivals(redis),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

export type OutboxEnvironment = Awaited<ReturnType<typeof outboxEnvironment>>

interface OutboxView {
  eventId: string
  status: string
  attempts: number
  lastError: string | null
  nextAttemptAt: Date
}

function outboxRows(): Statement<OutboxView> {
  return sql<OutboxView>`select event_id as "eventId", status, attempts, last_error as "lastError",
    next_attempt_at as "nextAttemptAt" from outbox order by seq`
}

interface ArchivedView {
  eventId: string
  attempts: number
  publishedAt: string
  stamped: boolean
}

function archivedRows(): Statement<ArchivedView> {
  return sql<ArchivedView>`select event_id as "eventId", attempts,
    envelope ->> 'publishedAt' as "publishedAt",
    (envelope ->> 'publishedAt')::timestamptz = published_at as "stamped"
    from outbox_published order by seq`
}

function effectRows(): Statement<{ eventId: string; noteId: string; ordinal: number }> {
  return sql<{ eventId: string; noteId: string; ordinal: number }>`
    select event_id as "eventId", note_id as "noteId", ordinal from effect order by id`
}

function leaseRows(): Statement<{ shard: number; owner: string | null; fence: number }> {
  return sql<{ shard: number; owner: string | null; fence: number }>`
    select shard, owner, fence from outbox_lease order by shard`
}

/** All messages of the bus in order of arrival, duplicates included. */
async function arrivals(redis: ReturnType<typeof createRedis>): Promise<Arrival[]> {
  const entries = await redis.xrange(streamKey(SUBJECT), '-', '+')
  return entries.map(([, fields]) => {
    const body = fields[fields.indexOf('b') + 1] ?? '{}'
    const { envelope, payload } = JSON.parse(body)
    return {
      eventId: envelope.eventId,
      noteId: payload.noteId,
      ordinal: payload.lengthChars,
      publishedAt: envelope.publishedAt,
    }
  })
}

/** First arrivals of a key that are not in the order in which they were written. */
export function orderViolations(arrived: readonly Pick<Arrival, 'noteId' | 'ordinal'>[]): number {
  const next = new Map<string, number>()
  let violations = 0
  for (const { noteId, ordinal } of arrived) {
    const expected = next.get(noteId) ?? 0
    if (ordinal > expected) violations += 1
    next.set(noteId, Math.max(expected, ordinal + 1))
  }
  return violations
}

export function distinct<T>(values: readonly T[]): number {
  return new Set(values).size
}
