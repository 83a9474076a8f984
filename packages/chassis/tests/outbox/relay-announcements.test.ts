import { eventually, startPgBouncer } from '@melmastoon/testkit'
import { describe, expect, it } from 'vitest'
import type { EventBus } from '../../src/bus/index.ts'
import { type Announcements, createAnnouncements, createDatabase, sql } from '../../src/db/index.ts'
import { appendEvents } from '../../src/outbox/index.ts'
import { type OutboxEnvironment, outboxEnvironment } from './outbox-environment.ts'
import { note, SCHEMA } from './outbox-schema.ts'

/** Longer than any test: what arrives was announced, not polled. */
const NEVER_MS = 600_000

/** A process of its own: its database announces what it commits, its relay is woken by others. */
function openProcess(env: OutboxEnvironment, listenUrl = env.database.relayUrl) {
  const stack = new AsyncDisposableStack()
  const ignore = () => undefined
  const announcements: Announcements = stack.use(
    createAnnouncements({
      schema: SCHEMA,
      url: listenUrl,
      send: (statement) => env.relayDb.query(statement),
      onError: ignore,
    }),
  )
  const db = stack.use(
    createDatabase({
      url: env.database.appUrl,
      poolMax: 3,
      onError: ignore,
      onAnnounced: (topic) => announcements.announce(topic),
    }),
  )
  return { db, announcements, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

/** A process that announces nothing. */
function openSilently(env: OutboxEnvironment) {
  const ignore = () => undefined
  const { appUrl: url } = env.database
  const db = createDatabase({ url, poolMax: 1, onError: ignore, onAnnounced: ignore })
  return { db, [Symbol.asyncDispose]: () => db[Symbol.asyncDispose]() }
}

async function startRelay(env: OutboxEnvironment, announcements: Announcements, bus?: EventBus) {
  const relay = env.relay({
    announcements,
    pollMs: NEVER_MS,
    idlePollMs: NEVER_MS,
    backoffMinMs: 50,
    ...(bus !== undefined && { bus }),
  })
  relay.start()
  await eventually(() => expect(announcements.isListening()).toBe(true))
  await eventually(async () => {
    expect((await env.leases()).every(({ owner }) => owner !== null)).toBe(true)
  })
  return relay
}

const backends = () => sql<{ pid: number }>`
  select pid from pg_stat_activity
  where application_name = 'melmastoon listener' and datname = current_database()`
const terminate = (pid: number) => sql`select pg_terminate_backend(${pid}::int)`

/** Time enough for an event that is announced, as the other tests show. */
const MOMENT_MS = 600
const moment = () => new Promise((resolve) => setTimeout(resolve, MOMENT_MS))

describe('announced events', () => {
  it('wake the relays of this and of other processes, and all of them arrive', async () => {
    await using env = await outboxEnvironment()
    await using relaying = openProcess(env)
    await using writing = openProcess(env)
    await startRelay(env, relaying.announcements)
    for (let ordinal = 0; ordinal < 30; ordinal += 1) {
      const { db } = ordinal % 2 === 0 ? relaying : writing
      await appendEvents(db, [note(`key-${ordinal % 5}`, Math.floor(ordinal / 5))])
      await new Promise((resolve) => setTimeout(resolve, ordinal))
    }
    await eventually(async () => expect(await env.arrivals()).toHaveLength(30))
  })

  it('wake relays also when a command or a script wrote them', async () => {
    await using env = await outboxEnvironment()
    await using relaying = openProcess(env)
    await startRelay(env, relaying.announcements)
    await env.append(note('script', 0))
    await eventually(async () => expect(await env.arrivals()).toHaveLength(1))
  })

  it('control: events that are not announced wait for the poll, and so do rolled back ones', async () => {
    await using env = await outboxEnvironment()
    await using relaying = openProcess(env)
    await using silent = openSilently(env)
    const relay = await startRelay(env, relaying.announcements)
    await moment()
    await appendEvents(silent.db, [note('silent', 0)])
    const rolledBack = relaying.db.transaction(async (tx) => {
      await appendEvents(tx, [note('undone', 0)])
      throw new Error('changed its mind')
    })
    await expect(rolledBack).rejects.toThrow('changed its mind')
    await moment()
    expect(await env.arrivals()).toEqual([])
    relay.wake()
    await eventually(async () => expect(await env.arrivals()).toHaveLength(1))
  })

  it('are published by the short poll while the connection is lost, which is opened again', async () => {
    await using env = await outboxEnvironment()
    await using relaying = openProcess(env)
    await using writing = openProcess(env)
    await startRelay(env, relaying.announcements)
    const [listening] = await env.admin.query(backends())
    await env.admin.query(terminate(listening?.pid ?? 0))
    await eventually(() => expect(relaying.announcements.isListening()).toBe(false))
    await appendEvents(writing.db, [note('meanwhile', 0)])
    // Listening again wakes the relay: its events may have been announced to nobody.
    await eventually(async () => expect(await env.arrivals()).toHaveLength(1))
    await eventually(() => expect(relaying.announcements.isListening()).toBe(true))
    await appendEvents(writing.db, [note('afterwards', 0)])
    await eventually(async () => expect(await env.arrivals()).toHaveLength(2))
  })

  it('are published without any announcement within the slow poll', async () => {
    await using env = await outboxEnvironment()
    await using relaying = openProcess(env)
    await using silent = openSilently(env)
    const { announcements } = relaying
    env.relay({ announcements, pollMs: NEVER_MS, idlePollMs: 300 }).start()
    await eventually(() => expect(announcements.isListening()).toBe(true))
    await appendEvents(silent.db, [note('silent', 0)])
    await eventually(async () => expect(await env.arrivals()).toHaveLength(1))
  })

  it('that were rejected are retried when they are due', async () => {
    await using env = await outboxEnvironment()
    await using relaying = openProcess(env)
    let attempts = 0
    const bus: EventBus = {
      async publish(messages) {
        attempts += 1
        if (attempts > 2) return env.bus.publish(messages)
        return messages.map(() => ({ ok: false, kind: 'rejected', reason: 'not now' }))
      },
      subscribe: (options, handle) => env.bus.subscribe(options, handle),
      [Symbol.asyncDispose]: () => Promise.resolve(),
    }
    await startRelay(env, relaying.announcements, bus)
    await appendEvents(relaying.db, [note('retried', 0)])
    await eventually(async () => expect(await env.arrivals()).toHaveLength(1))
    expect(attempts).toBe(3)
  })

  it('are polled for behind a pooler, which delivers no notifications', async (context) => {
    await using env = await outboxEnvironment()
    const pooler = await startPgBouncer(env.database.adminUrl, { poolSize: 2 })
    if (!pooler.available) return context.skip(pooler.reason)
    await using _pooler = pooler
    await using relaying = openProcess(env, pooler.url)
    const { announcements } = relaying
    env.relay({ announcements, pollMs: 50, idlePollMs: NEVER_MS }).start()
    await env.append(note('first', 0))
    await eventually(async () => expect(await env.arrivals()).toHaveLength(1))
    // Longer than the listener waits for its own notification.
    await new Promise((resolve) => setTimeout(resolve, 2_500))
    expect(announcements.isListening()).toBe(false)
    await env.append(note('second', 0))
    await eventually(async () => expect(await env.arrivals()).toHaveLength(2))
  })
})
