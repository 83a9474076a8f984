import { eventually, latch } from '@melmastoon/testkit'
import { describe, expect, it } from 'vitest'
import { type EventBus, type PublishOutcome, streamKey } from '../../src/bus/index.ts'
import { systemClock } from '../../src/clock/index.ts'
import { sql } from '../../src/db/index.ts'
import { appendEvents, replayEvent } from '../../src/outbox/index.ts'
import { note, registry } from './outbox-schema.ts'
import { orderViolations, outboxWorld } from './outbox-world.ts'

const validate = (message: unknown) => registry.validate(message)

/** The bus, but it turns down these events, and the rest of their key with them as it must. */
function rejecting(bus: EventBus, isRejected: (eventId: string) => boolean): EventBus {
  return {
    async publish(messages) {
      const stopped = new Set<string>()
      const outcomes: PublishOutcome[] = []
      for (const message of messages) {
        if (isRejected(message.eventId)) stopped.add(message.orderingKey)
        const [outcome] = stopped.has(message.orderingKey)
          ? [{ ok: false, kind: 'rejected', reason: 'turned down' } as const]
          : await bus.publish([message])
        outcomes.push(outcome ?? { ok: true })
      }
      return outcomes
    },
    subscribe: (options, handle) => bus.subscribe(options, handle),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  }
}

describe('relay order and retries', () => {
  it('OBX-13 a row that breaks its contract is dead at once and holds up nobody', async () => {
    await using world = await outboxWorld()
    const poison = note('poison', 0)
    await world.append({ ...poison, payload: { guestEmail: 'guest@example.com' } })
    await world.append(note('poison', 0), note('sound', 0))
    const dead: string[] = []
    const metrics = { onDead: ({ eventId }: { eventId: string }) => dead.push(eventId) }
    await world.relay({ validate, metrics }).drainOnce()
    expect(dead).toEqual([poison.eventId])
    const [row, ...others] = await world.rows()
    expect(others).toEqual([])
    expect(row).toMatchObject({ eventId: poison.eventId, status: 'dead', attempts: 1 })
    expect(row?.lastError).not.toContain('guest@example.com')
    expect((await world.arrivals()).map((arrival) => arrival.noteId).toSorted()).toEqual([
      'poison',
      'sound',
    ])
  })

  it('an event of a newer version passes a relay that does not know its subject', async () => {
    await using world = await outboxWorld()
    const later = { ...note('later', 0), subject: 'melmastoon.example.note.later.v1' }
    const envelope = { ...later.envelope, subject: later.subject }
    await world.append({ ...later, envelope })
    await world.relay({ validate }).drainOnce()
    expect(await world.rows()).toEqual([])
    expect(await world.redis.xlen(streamKey(later.subject))).toBe(1)
  })

  it('OBX-14 a rejected row stalls its key only, dies, and the key goes on in order', async () => {
    await using world = await outboxWorld()
    const bad = note('stalled', 0)
    await world.append(bad, note('stalled', 1), note('free', 0), note('stalled', 2))
    const relay = world.relay({
      bus: rejecting(world.bus, (eventId) => eventId === bad.eventId),
      maxAttempts: 3,
      // Long enough that no jitter makes it due by itself; the test moves it instead.
      backoffMinMs: 3_600_000,
      backoffMaxMs: 3_600_000,
    })
    await relay.drainOnce()
    expect((await world.arrivals()).map((arrival) => arrival.noteId)).toEqual(['free'])
    expect((await world.rows()).map((row) => row.attempts)).toEqual([1, 0, 0])
    for (const attempts of [2, 3]) {
      expect(await world.arrivals()).toHaveLength(1)
      await world.admin.query(sql`update outbox set next_attempt_at = now()`)
      await relay.drainOnce()
      expect((await world.rows())[0]).toMatchObject({ eventId: bad.eventId, attempts })
    }
    expect((await world.arrivals()).map((arrival) => arrival.ordinal)).toEqual([0, 1, 2])
    expect(await world.rows()).toMatchObject([
      { eventId: bad.eventId, status: 'dead', attempts: 3 },
    ])
    await relay.stop()
    expect(await replayEvent(world.relayDb, bad.eventId)).toBe(true)
    await world.relay().drainOnce()
    expect((await world.arrivals()).at(-1)).toMatchObject({ eventId: bad.eventId })
  })

  it.each([5, -5])(
    'OBX-15 a relay clock %i minutes off retries neither early nor never',
    async (minutes) => {
      await using world = await outboxWorld()
      const event = note('skewed', 0)
      await world.append(event)
      let publishedEarly: boolean | undefined
      let tries = 0
      const bus = rejecting(world.bus, () => {
        tries += 1
        return tries === 1
      })
      const offsetMs = minutes * 60_000
      const clock = {
        now: () => new Date(systemClock.nowMs() + offsetMs),
        nowMs: () => systemClock.nowMs() + offsetMs,
        monotonicMs: () => systemClock.monotonicMs(),
      }
      const relay = world.relay({ bus, clock, backoffMinMs: 1_000, pollMs: 10 })
      await relay.drainOnce()
      const [row] = await world.rows()
      expect(row).toMatchObject({ status: 'retrying', attempts: 1 })
      await eventually(async () => {
        await relay.drainOnce()
        const [late] = await world.admin.query<{ late: boolean }>({
          text: 'select clock_timestamp() >= $1 as late',
          values: [row?.nextAttemptAt],
        })
        if (tries > 1) publishedEarly ??= late?.late !== true
        expect(await world.arrivals()).toHaveLength(1)
      })
      expect(publishedEarly).toBe(false)
      expect(
        Math.abs(Date.parse((await world.arrivals())[0]?.publishedAt ?? '') - systemClock.nowMs()),
      ).toBeLessThan(60_000)
    },
  )

  it('OBX-18 a transaction that commits late is not skipped', async () => {
    await using world = await outboxWorld()
    const [written, mayCommit] = [latch(), latch()]
    const slow = world.app.transaction(async (tx) => {
      await appendEvents(tx, [note('slow', 0)])
      written.open()
      await mayCommit.promise
    })
    await written.promise
    await world.append(note('fast', 0))
    const relay = world.relay()
    await relay.drainOnce()
    expect((await world.arrivals()).map((arrival) => arrival.noteId)).toEqual(['fast'])
    mayCommit.open()
    await slow
    await relay.drainOnce()
    expect((await world.arrivals()).map((arrival) => arrival.noteId)).toEqual(['fast', 'slow'])
  })

  it('a broker outage spends no attempts and ends by itself', async () => {
    await using world = await outboxWorld()
    await world.append(
      ...Array.from({ length: 50 }, (_, index) => note(`k${index % 5}`, Math.floor(index / 5))),
    )
    let isDown = true
    const reasons: string[] = []
    const bus: EventBus = {
      ...world.bus,
      publish: (messages) =>
        isDown
          ? Promise.resolve(
              messages.map(
                () => ({ ok: false, kind: 'unavailable', reason: 'connection refused' }) as const,
              ),
            )
          : world.bus.publish(messages),
    }
    const metrics = { onBrokerUnavailable: (reason: string) => reasons.push(reason) }
    world.relay({ bus, metrics, maxAttempts: 2 }).start()
    await eventually(() => expect(reasons.length).toBeGreaterThanOrEqual(3))
    expect(new Set((await world.rows()).map((row) => `${row.status} ${row.attempts}`))).toEqual(
      new Set(['pending 0']),
    )
    isDown = false
    await eventually(async () => expect(await world.pending()).toBe(0), { timeoutMs: 10_000 })
    expect(orderViolations(await world.arrivals())).toBe(0)
  })

  it('relays share the shards evenly and take over from one that stopped', async () => {
    await using world = await outboxWorld()
    const counts = new Map<string, number>()
    const start = (name: string) => {
      const relay = world.relay({
        owner: name,
        leaseSeconds: 1.5,
        metrics: { onShards: (count) => counts.set(name, count) },
      })
      relay.start()
      return relay
    }
    const first = start('first')
    await eventually(() => expect(counts.get('first')).toBe(16))
    start('second')
    await eventually(() => expect([...counts.values()]).toEqual([8, 8]))
    expect((await world.leases()).every((lease) => lease.owner !== null)).toBe(true)
    await first.stop()
    await eventually(() => expect(counts.get('second')).toBe(16))
  })

  it('gives its leases back also when the broker hangs beyond the time to stop', async () => {
    await using world = await outboxWorld()
    await world.append(note('hung', 0))
    const [entered, never] = [latch(), latch()]
    const bus: EventBus = {
      ...world.bus,
      async publish() {
        entered.open()
        await never.promise
        return []
      },
    }
    const relay = world.relay({ bus, stopMs: 50, publishTimeoutMs: 60_000 })
    relay.start()
    await entered.promise
    const startedMs = performance.now()
    await relay.stop()
    expect(performance.now() - startedMs).toBeLessThan(5_000)
    expect((await world.leases()).every((lease) => lease.owner === null)).toBe(true)
    never.open()
  })

  it('hands out the depth and the age of the oldest row', async () => {
    await using world = await outboxWorld()
    await world.append(note('deep', 0), note('deep', 1))
    await world.admin.query(sql`update outbox set enqueued_at = now() - interval '90 seconds'`)
    const depths: { depth: number; lagSeconds: number }[] = []
    const hold = latch()
    const bus = { ...world.bus, publish: () => hold.promise.then(() => []) }
    world.relay({ bus, metrics: { onDepth: (depth) => depths.push(depth) }, stopMs: 10 }).start()
    await eventually(() => expect(depths[0]).toMatchObject({ depth: 2, dead: 0 }))
    expect(depths[0]?.lagSeconds).toBeGreaterThan(89)
    hold.open()
  })
})
