import { newId, problem } from '@melmastoon/domain'
import type { OutboxEvent } from '@melmastoon/events'
import { eventually, latch } from '@melmastoon/testkit'
import { describe, expect, it } from 'vitest'
import {
  deadLetterName,
  deadStreamKey,
  type OutboundMessage,
  streamKey,
} from '../../src/bus/index.ts'
import { createDatabase, type Statement, sql } from '../../src/db/index.ts'
import { type ConsumerOptions, createConsumer, on } from '../../src/inbox/index.ts'
import { replayEvent } from '../../src/outbox/index.ts'
import {
  type OutboxEnvironment,
  orderViolations,
  outboxEnvironment,
} from '../outbox/outbox-environment.ts'
import {
  note,
  notePlaced,
  noteReserved,
  recordEffect,
  registry,
  SUBJECT,
  tenantId,
} from '../outbox/outbox-schema.ts'
import { spawnOutboxProcess } from '../outbox/spawn-outbox-process.ts'

function message(event: OutboxEvent): OutboundMessage {
  const { eventId, subject, orderingKey, envelope, payload } = event
  const body = JSON.stringify({ envelope, payload })
  return { eventId, subject, orderingKey, body, attributes: {} }
}

function consumerOf(env: OutboxEnvironment, options: Partial<ConsumerOptions> = {}) {
  return createConsumer({
    db: env.app,
    bus: env.bus,
    subscription: 'obx',
    backoff: { minMs: 5, maxMs: 20 },
    handlers: [on(notePlaced, { scope: 'tenant', handle: recordEffect })],
    onError: () => undefined,
    ...options,
  })
}

interface InboxView {
  messageId: string
  attempts: number
  dead: boolean
  processed: boolean
  lastError: string | null
}

function inboxRows(): Statement<InboxView> {
  return sql<InboxView>`select message_id as "messageId", attempts, dead,
    processed_at is not null as "processed", last_error as "lastError"
    from inbox order by received_at`
}

const deadLettersKey = deadStreamKey(deadLetterName('obx', SUBJECT))
const deadLetters = (env: OutboxEnvironment) => env.redis.xlen(deadLettersKey)

describe('consumer process dies', { timeout: 60_000 }, () => {
  it('OBX-05 after the commit and before the acknowledgement: redelivered with one effect', async () => {
    await using env = await outboxEnvironment()
    const event = note('crash', 0)
    await env.bus.publish([message(event)])
    const settings = { crashAt: 'inbox.after_commit', ackDeadlineMs: 500 }
    await using first = spawnOutboxProcess(env, 'consumer', settings)
    expect((await first.exited).signal).toBe('SIGKILL')
    expect(await env.effects()).toHaveLength(1)
    let duplicates = 0
    const onDuplicate = () => {
      duplicates += 1
    }
    await using second = consumerOf(env, { ackDeadlineMs: 500, metrics: { onDuplicate } })
    await second.start()
    await eventually(() => expect(duplicates).toBe(1))
    expect(await env.effects()).toHaveLength(1)
  })

  it('OBX-06 between inbox row and effect: neither is stored, and the retry writes both', async () => {
    await using env = await outboxEnvironment()
    await env.bus.publish([message(note('crash', 0))])
    const settings = { crashAt: 'inbox.before_effect', ackDeadlineMs: 500 }
    await using first = spawnOutboxProcess(env, 'consumer', settings)
    expect((await first.exited).signal).toBe('SIGKILL')
    expect(await env.admin.query(inboxRows())).toEqual([])
    await using second = consumerOf(env, { ackDeadlineMs: 500 })
    await second.start()
    await eventually(async () => expect(await env.effects()).toHaveLength(1))
    expect(await env.admin.query(inboxRows())).toMatchObject([{ processed: true, attempts: 1 }])
  })

  it('OBX-06 control: inbox row and effect in two transactions lose the effect', async () => {
    await using env = await outboxEnvironment()
    const event = note('control', 0)
    await env.app.query(sql`
      insert into inbox (message_id, subject, processed_at)
      values (${event.eventId}, ${SUBJECT}, now())`)
    await env.bus.publish([message(event)])
    let duplicates = 0
    const onDuplicate = () => {
      duplicates += 1
    }
    await using consumer = consumerOf(env, { metrics: { onDuplicate } })
    await consumer.start()
    await eventually(() => expect(duplicates).toBe(1))
    expect(await env.effects()).toHaveLength(0)
  })
})

describe('consumer', () => {
  it('P5 has one effect for many copies, even concurrent ones', async () => {
    await using env = await outboxEnvironment()
    const event = note('copies', 0)
    const [entered, mayGo] = [latch(), latch()]
    const handle: typeof recordEffect = async (...received) => {
      entered.open()
      await mayGo.promise
      await recordEffect(...received)
    }
    const handlers = [on(notePlaced, { scope: 'tenant', handle })]
    await using one = consumerOf(env, { handlers, subscription: 'obx' })
    await using two = consumerOf(env, { handlers, subscription: 'obx-again' })
    await env.bus.publish([message(event), message(event)])
    await Promise.all([one.start(), two.start()])
    await entered.promise
    mayGo.open()
    await eventually(async () => {
      for (const group of ['obx', 'obx-again']) {
        const [pending] = await env.redis.xpending(streamKey(SUBJECT), group)
        expect(Number(pending)).toBe(0)
      }
    })
    expect(await env.effects()).toHaveLength(1)
  })

  it('P5 dead-letters after the last attempt, stores the error, and continues with the key', async () => {
    await using env = await outboxEnvironment()
    const bad = note('key', 0)
    const handle: typeof recordEffect = async (tx, payload, event) => {
      await recordEffect(tx, payload, event)
      if (event.envelope.eventId === bad.eventId) throw new Error('no room')
    }
    const handlers = [on(notePlaced, { scope: 'tenant', handle })]
    const dead: string[] = []
    const metrics = { onDead: (_: string, reason: string) => dead.push(reason) }
    await using consumer = consumerOf(env, { handlers, maxAttempts: 3, metrics })
    await consumer.start()
    await env.bus.publish([bad, note('key', 1), note('key', 2)].map(message))
    await eventually(async () => expect(await env.effects()).toHaveLength(2))
    expect((await env.effects()).map((effect) => effect.ordinal)).toEqual([1, 2])
    const [row] = await env.admin.query(inboxRows())
    expect(row).toMatchObject({ attempts: 3, dead: true, processed: false, lastError: 'no room' })
    expect(dead).toEqual(['no room'])
    expect(await deadLetters(env)).toBe(1)
  })

  it.each([
    ['no JSON', '{'],
    ['an unknown version', JSON.stringify({ envelope: { subject: `${SUBJECT}2` }, payload: {} })],
    ['a broken payload', JSON.stringify({ envelope: note('x', 0).envelope, payload: { a: 1 } })],
  ])('P5 a message with %s is dead-lettered without retries', async (_, body) => {
    await using env = await outboxEnvironment()
    await using consumer = consumerOf(env)
    await consumer.start()
    const good = note('good', 0)
    await env.bus.publish([{ ...message(note('bad', 0)), body }, message(good)])
    await eventually(async () => {
      expect(await deadLetters(env)).toBe(1)
      expect(await env.effects()).toHaveLength(1)
    })
    const rows = await env.admin.query(inboxRows())
    expect(rows.filter((row) => row.dead)).toMatchObject([{ attempts: 1, processed: false }])
  })

  it('P5 scopes the effect to the tenant of the envelope', async () => {
    await using env = await outboxEnvironment()
    await using consumer = consumerOf(env)
    await consumer.start()
    const other = newId('tnt')
    await env.bus.publish([note('a', 0), note('b', 0, other)].map(message))
    await eventually(async () => expect(await env.effects()).toHaveLength(2))
    const mine = await env.app.tenantQuery(tenantId, sql`select note_id from effect`)
    expect(mine).toEqual([{ note_id: 'a' }])
  })

  it('D19 two names of an event reach the same handler', async () => {
    await using env = await outboxEnvironment()
    const alias = 'melmastoon.example.note.reserved.v1'
    const seen: string[] = []
    const both = on([notePlaced, noteReserved], {
      async handle(_tx, { noteId }, { envelope }) {
        seen.push(`${envelope.subject} ${noteId}`)
      },
    })
    await using consumer = consumerOf(env, { handlers: [both] })
    await consumer.start()
    const reserved = registry.build(
      alias,
      { tenantId, noteId: 'n', reservationRef: 'r', reservedAt: '2026-03-21T09:00:00.000Z' },
      {
        producerInstance: 'test',
        tenantId,
        requestId: newId('req'),
        traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
        occurredAt: new Date('2026-03-21T09:00:00.000Z'),
      },
    )
    await env.bus.publish([message(reserved), message(note('n', 0))])
    const expected = [`${SUBJECT} n`, `${alias} n`].toSorted()
    await eventually(() => expect(seen.toSorted()).toEqual(expected))
  })

  it('runs effects outside the database after the commit, until they succeed', async () => {
    await using env = await outboxEnvironment()
    const committed: number[] = []
    const afterCommit = async () => {
      committed.push((await env.effects()).length)
      if (committed.length === 1) throw new Error('cache is away')
    }
    const handler = on(notePlaced, { scope: 'tenant', handle: recordEffect, afterCommit })
    await using consumer = consumerOf(env, { handlers: [handler] })
    await consumer.start()
    await env.bus.publish([message(note('cache', 0))])
    await eventually(() => expect(committed).toEqual([1, 1]))
    expect(await env.effects()).toHaveLength(1)
  })

  it('preserves the order of a key during retries', async () => {
    await using env = await outboxEnvironment()
    let failures = 0
    const handle: typeof recordEffect = async (tx, payload, event) => {
      if (payload.lengthChars % 3 === 0 && failures < 8) {
        failures += 1
        throw new Error('not yet')
      }
      await recordEffect(tx, payload, event)
    }
    const handlers = [on(notePlaced, { scope: 'tenant', handle })]
    await using consumer = consumerOf(env, { handlers })
    await consumer.start()
    const events = Array.from({ length: 60 }, (_, index) =>
      note(`k${index % 4}`, Math.floor(index / 4)),
    )
    await env.bus.publish(events.map(message))
    await eventually(async () => expect(await env.effects()).toHaveLength(60), {
      timeoutMs: 20_000,
    })
    expect(orderViolations(await env.effects())).toBe(0)
    expect(failures).toBe(8)
  })

  it('processes a dead message after a replay, with one effect', async () => {
    await using env = await outboxEnvironment()
    const event = note('given-up', 0)
    await env.append(event)
    const relay = env.relay()
    await relay.drainOnce()
    let isBroken = true
    const handle: typeof recordEffect = async (...received) => {
      if (isBroken) throw new Error('not yet')
      await recordEffect(...received)
    }
    const handlers = [on(notePlaced, { scope: 'tenant', handle })]
    await using consumer = consumerOf(env, { handlers, maxAttempts: 2 })
    await consumer.start()
    const replayAndDie = async (deaths: number) => {
      await eventually(async () => expect(await deadLetters(env)).toBe(deaths))
      const rows = await env.admin.query(inboxRows())
      expect(rows).toMatchObject([{ dead: true, processed: false, attempts: 2 }])
      expect(await replayEvent(env.relayDb, event.eventId)).toBe(true)
    }
    await replayAndDie(1)
    await relay.drainOnce()
    await replayAndDie(2)
    isBroken = false
    await relay.drainOnce()
    await eventually(async () => expect(await env.effects()).toHaveLength(1))
    expect(await env.admin.query(inboxRows())).toMatchObject([{ dead: false, processed: true }])
    await replayEvent(env.relayDb, event.eventId)
    await relay.drainOnce()
    await eventually(async () => {
      const [pending] = await env.redis.xpending(streamKey(SUBJECT), 'obx')
      expect(Number(pending)).toBe(0)
    })
    expect(await env.effects()).toHaveLength(1)
  })

  it('D12 deduplicates by the id of the envelope, not by that of the broker', async () => {
    await using env = await outboxEnvironment()
    const [one, other] = [note('same', 0), note('other', 0)]
    let duplicates = 0
    const metrics = {
      onDuplicate: () => {
        duplicates += 1
      },
    }
    await using consumer = consumerOf(env, { metrics })
    await consumer.start()
    await env.bus.publish([
      message(one),
      { ...message(one), eventId: 'another name' },
      { ...message(other), eventId: one.eventId },
      { ...message(note('broken', 0)), eventId: one.eventId, body: '{' },
    ])
    await eventually(async () => {
      expect(await deadLetters(env)).toBe(1)
      expect(duplicates).toBe(1)
      const effects = (await env.effects()).map((effect) => effect.noteId)
      expect(effects.toSorted()).toEqual(['other', 'same'])
    })
    const rows = await env.admin.query(inboxRows())
    const seen = rows.filter((row) => !row.dead).map((row) => row.messageId)
    expect(new Set(seen)).toEqual(new Set([one.eventId, other.eventId]))
    expect(rows.find((row) => row.dead)?.messageId).toMatch(/^broker:/)
  })

  it('never dead-letters a committed event whose effect outside the database keeps failing', async () => {
    await using env = await outboxEnvironment()
    let tries = 0
    const afterCommit = async () => {
      tries += 1
      if (tries <= 8) throw new Error('cache is away')
    }
    const failures: Error[] = []
    const handler = on(notePlaced, { scope: 'tenant', handle: recordEffect, afterCommit })
    await using consumer = consumerOf(env, {
      handlers: [handler],
      maxAttempts: 2,
      onError: (error) => failures.push(error),
    })
    await consumer.start()
    await env.bus.publish([message(note('cache', 0))])
    await eventually(() => expect(tries).toBe(9))
    expect(await deadLetters(env)).toBe(0)
    expect(failures).toHaveLength(8)
    expect(await env.admin.query(inboxRows())).toMatchObject([{ dead: false, processed: true }])
  })

  it('stores no personal data in the reason of a dead message', async () => {
    await using env = await outboxEnvironment()
    const handle = () => Promise.reject(new Error('no room for guest@example.com, +93 70 123 4567'))
    const handlers = [on(notePlaced, { scope: 'tenant', handle })]
    await using consumer = consumerOf(env, { handlers, maxAttempts: 1 })
    await consumer.start()
    await env.bus.publish([message(note('person', 0))])
    await eventually(async () => expect(await deadLetters(env)).toBe(1))
    const [row] = await env.admin.query(inboxRows())
    const letters = await env.redis.xrange(deadLettersKey, '-', '+')
    for (const text of [row?.lastError ?? '', JSON.stringify(letters)]) {
      expect(text).toContain('no room')
      expect(text).not.toMatch(/guest@example|123 4567/)
    }
  })

  it('D32 uses the dead-letter names of the service', async () => {
    await using env = await outboxEnvironment()
    const deadLetterName = (subject: string) => `bff-tenant-dlq.${subject}`
    await using consumer = consumerOf(env, { deadLetterName })
    await consumer.start()
    await env.bus.publish([{ ...message(note('bad', 0)), body: '{' }])
    const key = deadStreamKey(`bff-tenant-dlq.${SUBJECT}`)
    await eventually(async () => expect(await env.redis.xlen(key)).toBe(1))
    expect(await deadLetters(env)).toBe(0)
  })

  it('rejects two handlers for one subject at start-up', async () => {
    await using env = await outboxEnvironment()
    const handlers = [on(notePlaced, {}), on([noteReserved, notePlaced], {})]
    expect(() => consumerOf(env, { handlers })).toThrow(TypeError)
  })
})

describe('a handler without database work', () => {
  const unreachable = () =>
    createDatabase({ url: 'postgres://app@127.0.0.1:1/none', poolMax: 1, onError: () => undefined })

  it('runs while Postgres is down', async () => {
    await using env = await outboxEnvironment()
    await using db = unreachable()
    const seen: string[] = []
    const handler = on(notePlaced, { afterCommit: ({ noteId }) => void seen.push(noteId) })
    await using consumer = consumerOf(env, { db, handlers: [handler] })
    await consumer.start()
    await env.bus.publish([message(note('first', 0)), message(note('second', 0))])
    await eventually(() => expect(seen.toSorted()).toEqual(['first', 'second']))
    await eventually(async () => {
      const [pending] = await env.redis.xpending(streamKey(SUBJECT), 'obx')
      expect(Number(pending)).toBe(0)
    })
  })

  it('control: with database work it waits until Postgres returns', async () => {
    await using env = await outboxEnvironment()
    await using db = unreachable()
    const seen: string[] = []
    const failures: Error[] = []
    const handler = on(notePlaced, {
      scope: 'tenant',
      handle: recordEffect,
      afterCommit: ({ noteId }) => void seen.push(noteId),
    })
    const onError = (error: Error) => failures.push(error)
    await using consumer = consumerOf(env, { db, handlers: [handler], onError, maxAttempts: 1 })
    await consumer.start()
    await env.bus.publish([message(note('first', 0))])
    await eventually(() => expect(failures.length).toBeGreaterThan(2))
    expect([seen, await deadLetters(env)]).toEqual([[], 0])
  })

  it('writes nothing to the inbox and runs again for a duplicate', async () => {
    await using env = await outboxEnvironment()
    const seen: string[] = []
    const handler = on(notePlaced, { afterCommit: ({ noteId }) => void seen.push(noteId) })
    await using consumer = consumerOf(env, { handlers: [handler] })
    await consumer.start()
    const event = message(note('twice', 0))
    await env.bus.publish([event, event])
    await eventually(() => expect(seen).toEqual(['twice', 'twice']))
    expect(await env.admin.query(inboxRows())).toEqual([])
  })

  it.each([new TypeError('a defect'), problem('MELMASTOON.GENERAL.VALIDATION_FAILED')])(
    'dead-letters an event after the last attempt, and an invalid one at once: %s',
    async (error) => {
      await using env = await outboxEnvironment()
      let attempts = 0
      const afterCommit = async () => {
        attempts += 1
        throw error
      }
      const handlers = [on(notePlaced, { afterCommit })]
      await using consumer = consumerOf(env, { handlers, maxAttempts: 3 })
      await consumer.start()
      await env.bus.publish([
        message(note('defect', 0)),
        { ...message(note('invalid', 0)), body: '{' },
      ])
      await eventually(async () => expect(await deadLetters(env)).toBe(2))
      expect(attempts).toBe(3)
      expect(await env.admin.query(inboxRows())).toEqual([])
    },
  )

  it('an unavailable dependency costs no attempt', async () => {
    await using env = await outboxEnvironment()
    let attempts = 0
    const afterCommit = async () => {
      attempts += 1
      if (attempts <= 6) throw new Error('Connection is closed.')
    }
    const handlers = [on(notePlaced, { afterCommit })]
    await using consumer = consumerOf(env, { handlers, maxAttempts: 2 })
    await consumer.start()
    await env.bus.publish([message(note('outage', 0))])
    await eventually(() => expect(attempts).toBe(7))
    expect(await deadLetters(env)).toBe(0)
  })
})
