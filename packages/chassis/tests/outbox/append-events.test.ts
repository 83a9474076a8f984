import { newId, problem } from '@melmastoon/domain'
import { eventually, latch } from '@melmastoon/testkit'
import { describe, expect, it } from 'vitest'
import { type Queryable, sql, sqlStateOf } from '../../src/db/index.ts'
import {
  appendEventsFragment,
  replayPublishedSince,
  TelemetryBatcher,
} from '../../src/outbox/index.ts'
import { outboxEnvironment } from './outbox-environment.ts'
import { note, registry, SUBJECT, tenantId } from './outbox-schema.ts'

const context = {
  producerInstance: 'test',
  tenantId,
  requestId: newId('req'),
  traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
  occurredAt: new Date('2026-03-21T09:00:00.000Z'),
}

describe('appendEvents', () => {
  it.each([
    ['more than 10 MB', 'x'.repeat(10_500_000)],
    ['a NUL character', 'a\u0000b'],
    ['a lone surrogate', 'a\ud800b'],
  ])('OBX-22 rejects an event with %s before it is stored', async (_, noteId) => {
    await using env = await outboxEnvironment()
    const payload = { tenantId, noteId, lengthChars: 1, placedAt: '2026-03-21T09:00:00.000Z' }
    expect(() => registry.build(SUBJECT, payload, context)).toThrow(
      expect.objectContaining({ code: 'MELMASTOON.GENERAL.EVENT_REFUSED', status: 422 }),
    )
    expect(await env.rows()).toEqual([])
  })

  it('OBX-22 returns a 4xx code for a NUL that only Postgres rejects', async () => {
    await using env = await outboxEnvironment()
    const event = { ...note('nul', 0), payload: { text: 'a\u0000b' } }
    await expect(env.append(event)).rejects.toMatchObject({ status: 400 })
    expect(await env.rows()).toEqual([])
  })

  it('writes events with an effect in one statement, and only if its condition holds', async () => {
    await using env = await outboxEnvironment()
    const statement = (wanted: boolean) => sql`
      with claimed as (select 1 where ${wanted}::boolean), events as (
        ${appendEventsFragment([note('one', 0), note('one', 1)], { onlyIf: sql`exists (select from claimed)` })}
      ) select 1`
    await env.app.query(statement(false))
    expect(await env.rows()).toHaveLength(0)
    await env.app.query(statement(true))
    expect(await env.rows()).toHaveLength(2)
  })

  it('lets the role of the service write events but not read them', async () => {
    await using env = await outboxEnvironment()
    await env.append(note('own', 0))
    const reading = env.app.query(sql`select event_id from outbox`)
    expect(sqlStateOf(await reading.catch((error: unknown) => error))).toBe('42501')
  })

  it('replays events published since a given time', async () => {
    await using env = await outboxEnvironment()
    await env.append(note('again', 0), note('again', 1))
    const relay = env.relay()
    await relay.drainOnce()
    expect(await replayPublishedSince(env.relayDb, new Date('2020-01-01T00:00:00Z'))).toBe(2)
    await relay.drainOnce()
    expect((await env.arrivals()).map((arrival) => arrival.ordinal)).toEqual([0, 1, 0, 1])
  })
})

describe('TelemetryBatcher', () => {
  it('writes events of the same time in one statement, and the rest when it is disposed', async () => {
    await using env = await outboxEnvironment()
    let statements = 0
    const db: Queryable = {
      query(statement) {
        statements += 1
        return env.app.query(statement)
      },
    }
    {
      await using batcher = new TelemetryBatcher({ db, lingerMs: 10 })
      for (let index = 0; index < 50; index += 1) batcher.add(note('t', index))
      await eventually(async () => expect(await env.rows()).toHaveLength(50))
      expect(statements).toBe(1)
      batcher.add(note('t', 50))
    }
    expect(await env.rows()).toHaveLength(51)
  })

  it('stops retrying after a lost response, and writes no event twice', async () => {
    await using env = await outboxEnvironment()
    let statements = 0
    const db: Queryable = {
      async query(statement) {
        statements += 1
        const rows = await env.app.query(statement)
        if (statements === 1) throw problem('MELMASTOON.GENERAL.DEPENDENCY_UNAVAILABLE')
        return rows
      },
    }
    let dropped = 0
    const onDropped = (count: number) => {
      dropped += count
    }
    const batcher = new TelemetryBatcher({ db, lingerMs: 1, onDropped })
    batcher.add(note('lost', 0))
    await eventually(() => expect(statements).toBe(1))
    await batcher.flush()
    expect(statements).toBe(2)
    expect(dropped).toBe(0)
    expect(await env.rows()).toHaveLength(1)
  })

  it('never flushes concurrently with a running write', async () => {
    await using env = await outboxEnvironment()
    const gates = [latch(), latch(), latch()]
    let [statements, running, most] = [0, 0, 0]
    const db: Queryable = {
      async query(statement) {
        running += 1
        most = Math.max(most, running)
        await gates[statements++]?.promise
        const rows = await env.app.query(statement)
        running -= 1
        return rows
      },
    }
    let dropped = 0
    const onDropped = (count: number) => {
      dropped += count
    }
    const batcher = new TelemetryBatcher({ db, maxBatch: 2, lingerMs: 1, onDropped })
    for (let index = 0; index < 5; index += 1) batcher.add(note('t', index))
    const flushed = batcher.flush()
    gates[0]?.open()
    await eventually(() => expect(statements).toBe(2))
    // Long enough for a timer of the first writer to start a second one.
    await new Promise((resolve) => setTimeout(resolve, 30))
    batcher.add(note('t', 5))
    for (const gate of gates) gate.open()
    await flushed
    expect(most).toBe(1)
    expect(dropped).toBe(0)
    expect(await env.rows()).toHaveLength(6)
  })

  it('drops and counts events beyond the bound, and isolates an invalid event', async () => {
    await using env = await outboxEnvironment()
    let dropped = 0
    const gate = latch()
    const db: Queryable = {
      query: (statement) => gate.promise.then(() => env.app.query(statement)),
    }
    const onDropped = (count: number) => {
      dropped += count
    }
    await using batcher = new TelemetryBatcher({ db, maxQueued: 3, maxBatch: 3, onDropped })
    batcher.add(note('t', 0))
    batcher.add({ ...note('t', 1), payload: { text: '\u0000' } })
    batcher.add(note('t', 2))
    expect(batcher.add(note('t', 3))).toBe(false)
    expect(dropped).toBe(1)
    gate.open()
    await batcher.flush()
    expect(await env.rows()).toHaveLength(2)
    expect(dropped).toBe(2)
  })

  it('writes no withdrawn event, not even when a failed batch is retried', async () => {
    await using env = await outboxEnvironment()
    const gate = latch()
    let statements = 0
    const db: Queryable = {
      async query(statement) {
        statements += 1
        if (statements > 1) return await env.app.query(statement)
        await gate.promise
        throw problem('MELMASTOON.GENERAL.DEPENDENCY_UNAVAILABLE')
      },
    }
    const batcher = new TelemetryBatcher({ db, lingerMs: 1, maxBatch: 3 })
    const events = ['first', 'second', 'first', 'first', 'second'].map((key, at) => note(key, at))
    for (const event of events) batcher.add(event)
    await eventually(() => expect(statements).toBe(1))
    batcher.discard(({ orderingKey }) => orderingKey === 'first')
    const later = note('first', 5)
    batcher.add(later)
    gate.open()
    await batcher.flush()
    const written = (await env.rows()).map(({ eventId }) => eventId)
    const remaining = [events[1], events[4], later].map((event) => event?.eventId)
    expect(written).toEqual(remaining)
  })
})
