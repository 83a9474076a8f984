import { newId } from '@melmastoon/domain'
import { eventually, latch } from '@melmastoon/testkit'
import { describe, expect, it } from 'vitest'
import { deadStreamKey, type OutboundMessage, streamKey } from '../../src/bus/index.ts'
import { type Statement, sql } from '../../src/db/index.ts'
import { type ConsumerOptions, createConsumer } from '../../src/inbox/index.ts'
import { replayEvent } from '../../src/outbox/index.ts'
import { note, recordEffect, registry, SUBJECT, tenantId } from '../outbox/outbox-schema.ts'
import { type OutboxWorld, orderViolations, outboxWorld } from '../outbox/outbox-world.ts'
import { spawnWorldProcess } from '../outbox/spawn-world-process.ts'

function message(event: ReturnType<typeof note>): OutboundMessage {
  const { eventId, subject, orderingKey, envelope, payload } = event
  const body = JSON.stringify({ envelope, payload })
  return { eventId, subject, orderingKey, body, attributes: {} }
}

function consumerOf(world: OutboxWorld, options: Partial<ConsumerOptions> = {}) {
  return createConsumer({
    db: world.app,
    bus: world.bus,
    registry,
    subscription: 'obx',
    backoff: { minMs: 5, maxMs: 20 },
    handlers: { [SUBJECT]: { scope: 'tenant', handle: recordEffect } },
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

const deadLetters = (world: OutboxWorld) => world.redis.xlen(deadStreamKey('obx'))

describe('consumer process dies', { timeout: 60_000 }, () => {
  it('OBX-05 after the commit and before the acknowledgement: redelivered, effect once', async () => {
    await using world = await outboxWorld()
    const event = note('crash', 0)
    await world.bus.publish([message(event)])
    const settings = { crashAt: 'inbox.after_commit', ackDeadlineMs: 500 }
    await using first = spawnWorldProcess(world, 'consumer', settings)
    expect((await first.exited).signal).toBe('SIGKILL')
    expect(await world.effects()).toHaveLength(1)
    let duplicates = 0
    const onDuplicate = () => {
      duplicates += 1
    }
    await using second = consumerOf(world, { ackDeadlineMs: 500, metrics: { onDuplicate } })
    await second.start()
    await eventually(() => expect(duplicates).toBe(1))
    expect(await world.effects()).toHaveLength(1)
  })

  it('OBX-06 between inbox row and effect: neither is there, and the retry does both', async () => {
    await using world = await outboxWorld()
    await world.bus.publish([message(note('crash', 0))])
    const settings = { crashAt: 'inbox.before_effect', ackDeadlineMs: 500 }
    await using first = spawnWorldProcess(world, 'consumer', settings)
    expect((await first.exited).signal).toBe('SIGKILL')
    expect(await world.admin.query(inboxRows())).toEqual([])
    await using second = consumerOf(world, { ackDeadlineMs: 500 })
    await second.start()
    await eventually(async () => expect(await world.effects()).toHaveLength(1))
    expect(await world.admin.query(inboxRows())).toMatchObject([{ processed: true, attempts: 1 }])
  })

  it('OBX-06 control: inbox row and effect in two transactions lose the effect', async () => {
    await using world = await outboxWorld()
    const event = note('control', 0)
    await world.app.query(sql`
      insert into inbox (message_id, subject, processed_at)
      values (${event.eventId}, ${SUBJECT}, now())`)
    await world.bus.publish([message(event)])
    let duplicates = 0
    const onDuplicate = () => {
      duplicates += 1
    }
    await using consumer = consumerOf(world, { metrics: { onDuplicate } })
    await consumer.start()
    await eventually(() => expect(duplicates).toBe(1))
    expect(await world.effects()).toHaveLength(0)
  })
})

describe('consumer', () => {
  it('P5 makes one effect of many copies, also when they run at the same time', async () => {
    await using world = await outboxWorld()
    const event = note('copies', 0)
    const [entered, mayGo] = [latch(), latch()]
    const handle: typeof recordEffect = async (tx, received) => {
      entered.open()
      await mayGo.promise
      await recordEffect(tx, received)
    }
    const handlers = { [SUBJECT]: { scope: 'tenant' as const, handle } }
    await using one = consumerOf(world, { handlers, subscription: 'obx' })
    await using two = consumerOf(world, { handlers, subscription: 'obx-again' })
    await world.bus.publish([message(event), message(event)])
    await Promise.all([one.start(), two.start()])
    await entered.promise
    mayGo.open()
    await eventually(async () => {
      for (const group of ['obx', 'obx-again']) {
        const [pending] = await world.redis.xpending(streamKey(SUBJECT), group)
        expect(Number(pending)).toBe(0)
      }
    })
    expect(await world.effects()).toHaveLength(1)
  })

  it('P5 gives up after the last attempt with the error kept, and the key goes on', async () => {
    await using world = await outboxWorld()
    const bad = note('key', 0)
    const handle: typeof recordEffect = async (tx, event) => {
      await recordEffect(tx, event)
      if ((event.envelope as { eventId: string }).eventId === bad.eventId)
        throw new Error('no room')
    }
    const handlers = { [SUBJECT]: { scope: 'tenant' as const, handle } }
    const dead: string[] = []
    const metrics = { onDead: (_: string, reason: string) => dead.push(reason) }
    await using consumer = consumerOf(world, { handlers, maxAttempts: 3, metrics })
    await consumer.start()
    await world.bus.publish([bad, note('key', 1), note('key', 2)].map(message))
    await eventually(async () => expect(await world.effects()).toHaveLength(2))
    expect((await world.effects()).map((effect) => effect.ordinal)).toEqual([1, 2])
    const [row] = await world.admin.query(inboxRows())
    expect(row).toMatchObject({ attempts: 3, dead: true, processed: false, lastError: 'no room' })
    expect(dead).toEqual(['no room'])
    expect(await deadLetters(world)).toBe(1)
  })

  it.each([
    ['no JSON', '{'],
    ['an unknown version', JSON.stringify({ envelope: { subject: `${SUBJECT}2` }, payload: {} })],
    ['a broken payload', JSON.stringify({ envelope: note('x', 0).envelope, payload: { a: 1 } })],
  ])('P5 a message with %s goes to the dead letters, not around in circles', async (_, body) => {
    await using world = await outboxWorld()
    await using consumer = consumerOf(world)
    await consumer.start()
    const good = note('good', 0)
    await world.bus.publish([{ ...message(note('bad', 0)), body }, message(good)])
    await eventually(async () => {
      expect(await deadLetters(world)).toBe(1)
      expect(await world.effects()).toHaveLength(1)
    })
    const rows = await world.admin.query(inboxRows())
    expect(rows.filter((row) => row.dead)).toMatchObject([{ attempts: 1, processed: false }])
  })

  it('P5 scopes the effect to the tenant of the envelope', async () => {
    await using world = await outboxWorld()
    await using consumer = consumerOf(world)
    await consumer.start()
    const other = newId('tnt')
    await world.bus.publish([note('a', 0), note('b', 0, other)].map(message))
    await eventually(async () => expect(await world.effects()).toHaveLength(2))
    const mine = await world.app.tenantQuery(tenantId, sql`select note_id from effect`)
    expect(mine).toEqual([{ note_id: 'a' }])
  })

  it('D19 an alias of a subject reaches the same handler', async () => {
    await using world = await outboxWorld()
    const alias = 'melmastoon.example.note.reserved.v1'
    const seen: string[] = []
    const handlers = {
      [SUBJECT]: {
        scope: 'service' as const,
        handle: async (_: unknown, event: { envelope: { subject: string } }) => {
          seen.push(event.envelope.subject)
        },
      },
    }
    await using consumer = consumerOf(world, { handlers, aliases: { [alias]: SUBJECT } })
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
    await world.bus.publish([message(reserved), message(note('n', 0))])
    await eventually(() => expect(seen.toSorted()).toEqual([SUBJECT, alias].toSorted()))
  })

  it('runs the effects outside the database after the commit, until they succeed', async () => {
    await using world = await outboxWorld()
    const committed: number[] = []
    const onCommitted = async () => {
      committed.push((await world.effects()).length)
      if (committed.length === 1) throw new Error('cache is away')
    }
    const handler = { scope: 'tenant' as const, handle: recordEffect, onCommitted }
    await using consumer = consumerOf(world, { handlers: { [SUBJECT]: handler } })
    await consumer.start()
    await world.bus.publish([message(note('cache', 0))])
    await eventually(() => expect(committed).toEqual([1, 1]))
    expect(await world.effects()).toHaveLength(1)
  })

  it('keeps the order of a key while it retries', async () => {
    await using world = await outboxWorld()
    let failures = 0
    const handle: typeof recordEffect = async (tx, event) => {
      const { lengthChars } = event.payload as { lengthChars: number }
      if (lengthChars % 3 === 0 && failures < 8) {
        failures += 1
        throw new Error('not yet')
      }
      await recordEffect(tx, event)
    }
    const handlers = { [SUBJECT]: { scope: 'tenant' as const, handle } }
    await using consumer = consumerOf(world, { handlers })
    await consumer.start()
    const events = Array.from({ length: 60 }, (_, index) =>
      note(`k${index % 4}`, Math.floor(index / 4)),
    )
    await world.bus.publish(events.map(message))
    await eventually(async () => expect(await world.effects()).toHaveLength(60), {
      timeoutMs: 20_000,
    })
    expect(orderViolations(await world.effects())).toBe(0)
    expect(failures).toBe(8)
  })

  it('a message that was given up gets a new life by a replay, and its effect once', async () => {
    await using world = await outboxWorld()
    const event = note('given-up', 0)
    await world.append(event)
    const relay = world.relay()
    await relay.drainOnce()
    let isBroken = true
    const handle: typeof recordEffect = async (tx, received) => {
      if (isBroken) throw new Error('not yet')
      await recordEffect(tx, received)
    }
    const handlers = { [SUBJECT]: { scope: 'tenant' as const, handle } }
    await using consumer = consumerOf(world, { handlers, maxAttempts: 2 })
    await consumer.start()
    const replayAndDie = async (deaths: number) => {
      await eventually(async () => expect(await deadLetters(world)).toBe(deaths))
      const rows = await world.admin.query(inboxRows())
      expect(rows).toMatchObject([{ dead: true, processed: false, attempts: 2 }])
      expect(await replayEvent(world.relayDb, event.eventId)).toBe(true)
    }
    await replayAndDie(1)
    await relay.drainOnce()
    await replayAndDie(2)
    isBroken = false
    await relay.drainOnce()
    await eventually(async () => expect(await world.effects()).toHaveLength(1))
    expect(await world.admin.query(inboxRows())).toMatchObject([{ dead: false, processed: true }])
    await replayEvent(world.relayDb, event.eventId)
    await relay.drainOnce()
    await eventually(async () => {
      const [pending] = await world.redis.xpending(streamKey(SUBJECT), 'obx')
      expect(Number(pending)).toBe(0)
    })
    expect(await world.effects()).toHaveLength(1)
  })

  it('D12 dedupes by the envelope, whatever the broker says about the message', async () => {
    await using world = await outboxWorld()
    const [one, other] = [note('same', 0), note('other', 0)]
    let duplicates = 0
    const metrics = {
      onDuplicate: () => {
        duplicates += 1
      },
    }
    await using consumer = consumerOf(world, { metrics })
    await consumer.start()
    await world.bus.publish([
      message(one),
      { ...message(one), eventId: 'another name' },
      { ...message(other), eventId: one.eventId },
      { ...message(note('broken', 0)), eventId: one.eventId, body: '{' },
    ])
    await eventually(async () => {
      expect(await deadLetters(world)).toBe(1)
      expect(duplicates).toBe(1)
      const effects = (await world.effects()).map((effect) => effect.noteId)
      expect(effects.toSorted()).toEqual(['other', 'same'])
    })
    const rows = await world.admin.query(inboxRows())
    const seen = rows.filter((row) => !row.dead).map((row) => row.messageId)
    expect(new Set(seen)).toEqual(new Set([one.eventId, other.eventId]))
    expect(rows.find((row) => row.dead)?.messageId).toMatch(/^broker:/)
  })

  it('effects outside the database may fail for long: the event is committed, not dead', async () => {
    await using world = await outboxWorld()
    let tries = 0
    const onCommitted = async () => {
      tries += 1
      if (tries <= 8) throw new Error('cache is away')
    }
    const failures: Error[] = []
    const handler = { scope: 'tenant' as const, handle: recordEffect, onCommitted }
    await using consumer = consumerOf(world, {
      handlers: { [SUBJECT]: handler },
      maxAttempts: 2,
      onError: (error) => failures.push(error),
    })
    await consumer.start()
    await world.bus.publish([message(note('cache', 0))])
    await eventually(() => expect(tries).toBe(9))
    expect(await deadLetters(world)).toBe(0)
    expect(failures).toHaveLength(8)
    expect(await world.admin.query(inboxRows())).toMatchObject([{ dead: false, processed: true }])
  })

  it('keeps nothing of a person in the reason of a dead message', async () => {
    await using world = await outboxWorld()
    const handle = () => Promise.reject(new Error('no room for guest@example.com, +93 70 123 4567'))
    const handlers = { [SUBJECT]: { scope: 'tenant' as const, handle } }
    await using consumer = consumerOf(world, { handlers, maxAttempts: 1 })
    await consumer.start()
    await world.bus.publish([message(note('person', 0))])
    await eventually(async () => expect(await deadLetters(world)).toBe(1))
    const [row] = await world.admin.query(inboxRows())
    const letters = await world.redis.xrange(deadStreamKey('obx'), '-', '+')
    for (const text of [row?.lastError ?? '', JSON.stringify(letters)]) {
      expect(text).toContain('no room')
      expect(text).not.toMatch(/guest@example|123 4567/)
    }
  })
})
