import { eventually, latch } from '@melmastoon/testkit'
import { describe, expect, it } from 'vitest'
import { type EventBus, type PublishOutcome, streamKey } from '../../src/bus/index.ts'
import { systemClock } from '../../src/clock/index.ts'
import { sql } from '../../src/db/index.ts'
import { appendEvents, replayEvent } from '../../src/outbox/index.ts'
import { orderViolations, outboxEnvironment } from './outbox-environment.ts'
import { note, registry } from './outbox-schema.ts'

const validate = (message: unknown) => registry.validate(message)

/** A bus that rejects these events and, as required, later events of their keys. */
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
  it('OBX-13 dead-letters a row that breaks its contract immediately, without delaying others', async () => {
    await using env = await outboxEnvironment()
    const poison = note('poison', 0)
    await env.append({ ...poison, payload: { guestEmail: 'guest@example.com' } })
    await env.append(note('poison', 0), note('sound', 0))
    const dead: string[] = []
    const metrics = { onDead: ({ eventId }: { eventId: string }) => dead.push(eventId) }
    const contractOf = (subject: string) => registry.contractOf(subject)
    await env.relay({ validate, contractOf, metrics }).drainOnce()
    expect(dead).toEqual([poison.eventId])
    const [row, ...others] = await env.rows()
    expect(others).toEqual([])
    expect(row).toMatchObject({ eventId: poison.eventId, status: 'dead', attempts: 1 })
    expect(row?.lastError).not.toContain('guest@example.com')
    expect((await env.arrivals()).map((arrival) => arrival.noteId).toSorted()).toEqual([
      'poison',
      'sound',
    ])
  })

  it('checks only events that were not checked against the same contract when they were written', async () => {
    await using env = await outboxEnvironment()
    const [built, copied] = [note('built', 0), note('copied', 0)]
    await env.append(built, { ...copied })
    const later = note('later', 0)
    await env.append(later)
    await env.admin.query(
      sql`update outbox set contract = 'another' where event_id = ${later.eventId}`,
    )
    const checked: string[] = []
    const relay = env.relay({
      validate: (message) => checked.push(registry.validate(message).envelope.eventId),
      contractOf: (subject) => registry.contractOf(subject),
    })
    await relay.drainOnce()
    expect(checked.toSorted()).toEqual([copied.eventId, later.eventId].toSorted())
    expect(await env.arrivals()).toHaveLength(3)
  })

  it('publishes an event whose subject is known only to a newer version', async () => {
    await using env = await outboxEnvironment()
    const later = { ...note('later', 0), subject: 'melmastoon.example.note.later.v1' }
    const envelope = { ...later.envelope, subject: later.subject }
    await env.append({ ...later, envelope })
    await env.relay({ validate }).drainOnce()
    expect(await env.rows()).toEqual([])
    expect(await env.redis.xlen(streamKey(later.subject))).toBe(1)
  })

  it('OBX-14 delays only the key of a rejected row, dead-letters the row and continues in order', async () => {
    await using env = await outboxEnvironment()
    const bad = note('stalled', 0)
    await env.append(bad, note('stalled', 1), note('free', 0), note('stalled', 2))
    const relay = env.relay({
      bus: rejecting(env.bus, (eventId) => eventId === bad.eventId),
      maxAttempts: 3,
      // Long enough that the row never becomes due; the test changes the time instead.
      backoffMinMs: 3_600_000,
      backoffMaxMs: 3_600_000,
    })
    await relay.drainOnce()
    expect((await env.arrivals()).map((arrival) => arrival.noteId)).toEqual(['free'])
    expect((await env.rows()).map((row) => row.attempts)).toEqual([1, 0, 0])
    for (const attempts of [2, 3]) {
      expect(await env.arrivals()).toHaveLength(1)
      await env.admin.query(sql`update outbox set next_attempt_at = now()`)
      await relay.drainOnce()
      expect((await env.rows())[0]).toMatchObject({ eventId: bad.eventId, attempts })
    }
    expect((await env.arrivals()).map((arrival) => arrival.ordinal)).toEqual([0, 1, 2])
    expect(await env.rows()).toMatchObject([{ eventId: bad.eventId, status: 'dead', attempts: 3 }])
    await relay.stop()
    expect(await replayEvent(env.relayDb, bad.eventId)).toBe(true)
    await env.relay().drainOnce()
    expect((await env.arrivals()).at(-1)).toMatchObject({ eventId: bad.eventId })
  })

  it.each([5, -5])(
    'OBX-15 a relay clock %i minutes off retries neither early nor never',
    async (minutes) => {
      await using env = await outboxEnvironment()
      const event = note('skewed', 0)
      await env.append(event)
      let publishedEarly: boolean | undefined
      let tries = 0
      const bus = rejecting(env.bus, () => {
        tries += 1
        return tries === 1
      })
      const offsetMs = minutes * 60_000
      const clock = {
        now: () => new Date(systemClock.nowMs() + offsetMs),
        nowMs: () => systemClock.nowMs() + offsetMs,
        monotonicMs: () => systemClock.monotonicMs(),
      }
      const relay = env.relay({ bus, clock, backoffMinMs: 1_000, pollMs: 10 })
      await relay.drainOnce()
      const [row] = await env.rows()
      expect(row).toMatchObject({ status: 'retrying', attempts: 1 })
      await eventually(async () => {
        await relay.drainOnce()
        const [late] = await env.admin.query<{ late: boolean }>({
          text: 'select clock_timestamp() >= $1 as late',
          values: [row?.nextAttemptAt],
        })
        if (tries > 1) publishedEarly ??= late?.late !== true
        expect(await env.arrivals()).toHaveLength(1)
      })
      expect(publishedEarly).toBe(false)
      expect(
        Math.abs(Date.parse((await env.arrivals())[0]?.publishedAt ?? '') - systemClock.nowMs()),
      ).toBeLessThan(60_000)
    },
  )

  it('OBX-18 does not skip a transaction that commits late', async () => {
    await using env = await outboxEnvironment()
    const [written, mayCommit] = [latch(), latch()]
    const slow = env.app.transaction(async (tx) => {
      await appendEvents(tx, [note('slow', 0)])
      written.open()
      await mayCommit.promise
    })
    await written.promise
    await env.append(note('fast', 0))
    const relay = env.relay()
    await relay.drainOnce()
    expect((await env.arrivals()).map((arrival) => arrival.noteId)).toEqual(['fast'])
    mayCommit.open()
    await slow
    await relay.drainOnce()
    expect((await env.arrivals()).map((arrival) => arrival.noteId)).toEqual(['fast', 'slow'])
  })

  it('counts no attempts during an outage of the broker, and recovers', async () => {
    await using env = await outboxEnvironment()
    await env.append(
      ...Array.from({ length: 50 }, (_, index) => note(`k${index % 5}`, Math.floor(index / 5))),
    )
    let isDown = true
    const reasons: string[] = []
    const bus: EventBus = {
      ...env.bus,
      publish: (messages) =>
        isDown
          ? Promise.resolve(
              messages.map(
                () => ({ ok: false, kind: 'unavailable', reason: 'connection refused' }) as const,
              ),
            )
          : env.bus.publish(messages),
    }
    const metrics = { onBrokerUnavailable: (reason: string) => reasons.push(reason) }
    env.relay({ bus, metrics, maxAttempts: 2 }).start()
    await eventually(() => expect(reasons.length).toBeGreaterThanOrEqual(3))
    expect(new Set((await env.rows()).map((row) => `${row.status} ${row.attempts}`))).toEqual(
      new Set(['pending 0']),
    )
    isDown = false
    await eventually(async () => expect(await env.pending()).toBe(0), { timeoutMs: 10_000 })
    expect(orderViolations(await env.arrivals())).toBe(0)
  })

  it('shares the shards evenly between relays, which take over from a stopped one', async () => {
    await using env = await outboxEnvironment()
    const counts = new Map<string, number>()
    const start = (name: string) => {
      const relay = env.relay({
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
    expect((await env.leases()).every((lease) => lease.owner !== null)).toBe(true)
    await first.stop()
    await eventually(() => expect(counts.get('second')).toBe(16))
  })

  it('releases its leases even when the broker hangs beyond the shutdown timeout', async () => {
    await using env = await outboxEnvironment()
    await env.append(note('hung', 0))
    const [entered, never] = [latch(), latch()]
    const bus: EventBus = {
      ...env.bus,
      async publish() {
        entered.open()
        await never.promise
        return []
      },
    }
    const relay = env.relay({ bus, stopMs: 50, publishTimeoutMs: 60_000 })
    relay.start()
    await entered.promise
    const startedMs = performance.now()
    await relay.stop()
    expect(performance.now() - startedMs).toBeLessThan(5_000)
    expect((await env.leases()).every((lease) => lease.owner === null)).toBe(true)
    never.open()
  })

  it('reports the depth and the age of the oldest row', async () => {
    await using env = await outboxEnvironment()
    await env.append(note('deep', 0), note('deep', 1))
    await env.admin.query(sql`update outbox set enqueued_at = now() - interval '90 seconds'`)
    const depths: { depth: number; lagSeconds: number }[] = []
    const hold = latch()
    const bus = { ...env.bus, publish: () => hold.promise.then(() => []) }
    env.relay({ bus, metrics: { onDepth: (depth) => depths.push(depth) }, stopMs: 10 }).start()
    await eventually(() => expect(depths[0]).toMatchObject({ depth: 2, dead: 0 }))
    expect(depths[0]?.lagSeconds).toBeGreaterThan(89)
    hold.open()
  })
})
