import { eventually, latch, startTcpProxy, testRedis } from '@melmastoon/testkit'
import { describe, expect, it } from 'vitest'
import {
  createRedisStreamsBus,
  MessagesLost,
  type OutboundMessage,
  type RedisStreamsBusOptions,
  type SubscribeOptions,
  streamKey,
} from '../../src/bus/index.ts'
import { createRedis, type Redis } from '../../src/redis/index.ts'

const SUBJECT = 'melmastoon.example.stream.v1'
const KEY = streamKey(SUBJECT)
const options: SubscribeOptions = {
  subscription: 'sub',
  subjects: [SUBJECT],
  ackDeadlineMs: 600,
  backoff: { minMs: 5, maxMs: 20 },
}

const out = (orderingKey: string, ordinal: number): OutboundMessage => ({
  eventId: `${orderingKey}-${ordinal}`,
  subject: SUBJECT,
  orderingKey,
  body: '{}',
  attributes: {},
})
const many = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => out('k', from + index))

async function open(url?: string, busOptions: Partial<RedisStreamsBusOptions> = {}) {
  const stack = new AsyncDisposableStack()
  const connection = createRedis(url ?? (await testRedis()).sessionUrl, {
    name: 'bus',
    onError: () => undefined,
    commandTimeoutMs: 500,
  })
  stack.defer(() => connection.disconnect())
  const streams = stack.use(createRedisStreamsBus({ redis: connection, ...busOptions }))
  return { connection, streams, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

/** Simulates a late read by a consumer that has lost its lease. */
async function readAs(connection: Redis, consumer: string, count: number): Promise<void> {
  const source = ['GROUP', 'sub', consumer, 'COUNT', count]
  await connection.call('XREADGROUP', ...source, 'STREAMS', KEY, '>')
}

async function pendingOf(connection: Redis, group = 'sub'): Promise<number> {
  const [pending] = await connection.xpending(KEY, group)
  return Number(pending)
}

describe('stream capacity', () => {
  it('frees messages that every subscription acknowledged, and no others', async () => {
    await using opened = await open()
    const { connection, streams } = opened
    await connection.xgroup('CREATE', KEY, 'late', '0', 'MKSTREAM')
    await streams.publish(many(0, 500))
    let seen = 0
    const count = async () => {
      seen += 1
    }
    await using _ = await streams.subscribe(options, count)
    await eventually(() => expect(seen).toBe(500))
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(await connection.xlen(KEY)).toBe(500)
    await using late = await streams.subscribe({ ...options, subscription: 'late' }, count)
    await eventually(async () => {
      expect(seen).toBe(1_000)
      expect(await connection.xlen(KEY)).toBeLessThan(120)
    })
    await late.stop()
  })

  it('makes the publisher wait for an active consumer that is far behind, without loss', async () => {
    await using opened = await open(undefined, { maxLength: 300 })
    const { streams } = opened
    const seen: string[] = []
    const mayGo = latch()
    const slow = { ...options, maxInFlight: 1 }
    await using _ = await streams.subscribe(slow, async (message) => {
      await mayGo.promise
      seen.push(message.eventId)
    })
    let next = 0
    const publishSome = async () => {
      const [outcome] = await streams.publish(many(next, 100))
      if (outcome?.ok) next += 100
      return outcome
    }
    await eventually(async () =>
      expect(await publishSome()).toMatchObject({ ok: false, kind: 'unavailable' }),
    )
    expect(next).toBeGreaterThanOrEqual(300)
    expect(next).toBeLessThan(700)
    mayGo.open()
    await eventually(
      async () => {
        await publishSome()
        expect(next).toBeGreaterThan(1_000)
      },
      { timeoutMs: 10_000 },
    )
    await eventually(() => expect(seen).toHaveLength(next), { timeoutMs: 10_000 })
    expect(seen).toEqual(many(0, next).map((message) => message.eventId))
  })

  it('does not wait for a subscription without a consumer, and reports its lost messages', async () => {
    const trimmed: { subject: string; count: number }[] = []
    await using opened = await open(undefined, {
      maxLength: 300,
      onTrimmed: (report) => trimmed.push(report),
    })
    const { connection, streams } = opened
    await streams.publish(many(0, 5))
    await connection.xgroup('CREATE', KEY, 'sub', '0')
    await readAs(connection, 'dead', 5)
    for (let round = 0; round < 12; round += 1) {
      expect((await streams.publish(many(5 + round * 100, 100)))[0]).toEqual({ ok: true })
    }
    expect(await connection.xlen(KEY)).toBeLessThan(520)
    expect(trimmed[0]?.subject).toBe(SUBJECT)
    expect(trimmed.reduce((sum, report) => sum + report.count, 0)).toBeGreaterThan(600)
    const errors: Error[] = []
    const onError = (error: Error) => errors.push(error)
    await using _ = await streams.subscribe({ ...options, onError }, async () => undefined)
    await eventually(() => {
      const lost = errors.find((error) => error instanceof MessagesLost)
      expect(lost).toMatchObject({ subject: SUBJECT, brokerIds: { length: 5 } })
    })
  })
})

describe('consumers that stop, lose their lease or reconnect', () => {
  it('do not count a takeover as a delivery', async () => {
    await using opened = await open()
    const { connection, streams } = opened
    await streams.publish([out('k', 0), out('k', 1)])
    for (let round = 0; round < 4; round += 1) {
      const entered = latch()
      const stuck = await streams.subscribe({ ...options, drainMs: 20 }, async () => {
        entered.open()
        await new Promise(() => undefined)
      })
      await entered.promise
      await stuck.stop()
    }
    const seen: [string, number][] = []
    await using _ = await streams.subscribe(options, async (message) => {
      seen.push([message.eventId, message.deliveryCount])
    })
    await eventually(() => expect(seen).toHaveLength(2))
    expect(seen).toEqual([
      ['k-0', 5],
      ['k-1', 2],
    ])
    await eventually(async () => expect(await pendingOf(connection)).toBe(0))
  })

  it('take over messages that a consumer without the lease has read', async () => {
    await using opened = await open()
    const { connection, streams } = opened
    const seen: string[] = []
    await using _ = await streams.subscribe(options, async (message) => {
      seen.push(message.eventId)
    })
    await streams.publish([out('k', 0)])
    await eventually(() => expect(seen).toEqual(['k-0']))
    const mayRead = latch()
    // The read of the consumer without a lease is pending at the server, so it sometimes wins.
    for (let ordinal = 1; seen.length < 12 && ordinal <= 40; ordinal += 1) {
      await Promise.all([
        streams.publish([out('k', ordinal)]),
        readAs(connection, 'ghost', 1).then(() => mayRead.open()),
      ])
    }
    await mayRead.promise
    await eventually(async () => expect(await pendingOf(connection)).toBe(0), { timeoutMs: 5_000 })
    const length = new Set(seen).size
    expect(length).toBeGreaterThan(10)
    await eventually(async () => {
      const consumers = await connection.call('XINFO', 'CONSUMERS', KEY, 'sub')
      expect(JSON.stringify(consumers)).not.toContain('"ghost"')
    })
  })

  it('process every message when one of two is disconnected for a while', async () => {
    const { sessionUrl } = await testRedis()
    await using proxy = await startTcpProxy(sessionUrl)
    await using cut = await open(proxy.url)
    await using direct = await open(sessionUrl)
    const seen = new Map<string, string[]>()
    const consume = (name: string) => async (message: { eventId: string }) => {
      seen.set(name, [...(seen.get(name) ?? []), message.eventId])
    }
    await using _first = await cut.streams.subscribe(options, consume('first'))
    await direct.streams.publish([out('k', 0)])
    // Wait for the acknowledgements too: unacknowledged messages are redelivered to the other one.
    await eventually(async () => {
      expect(seen.get('first')).toEqual(['k-0'])
      expect(await pendingOf(direct.connection)).toBe(0)
    })
    await using _second = await direct.streams.subscribe(options, consume('second'))
    await proxy.setMode({ kind: 'refuse' })
    await direct.streams.publish([out('k', 1), out('k', 2)])
    await eventually(() => expect(seen.get('second')?.at(-1)).toBe('k-2'), { timeoutMs: 5_000 })
    await proxy.setMode({ kind: 'pass' })
    for (let ordinal = 3; ordinal < 30; ordinal += 1) {
      await direct.streams.publish([out('k', ordinal)])
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    await eventually(async () => {
      expect(new Set([...seen.values()].flat()).size).toBe(30)
      expect(await pendingOf(direct.connection)).toBe(0)
    })
    expect(seen.get('second')).toEqual(many(1, 29).map((message) => message.eventId))
  })

  it('D22 subscribe while the server is unavailable, and start when it returns', async () => {
    const { sessionUrl } = await testRedis()
    await using proxy = await startTcpProxy(sessionUrl)
    await proxy.setMode({ kind: 'refuse' })
    await using away = await open(proxy.url)
    await using direct = await open(sessionUrl)
    const seen: string[] = []
    const startedMs = performance.now()
    await using _ = await away.streams.subscribe(options, async (message) => {
      seen.push(message.eventId)
    })
    expect(performance.now() - startedMs).toBeLessThan(2_000)
    await direct.streams.publish([out('k', 0)])
    await proxy.setMode({ kind: 'pass' })
    await eventually(() => expect(seen).toEqual(['k-0']), { timeoutMs: 10_000 })
  })

  it('stop in time although the server no longer responds', async () => {
    const { sessionUrl } = await testRedis()
    await using proxy = await startTcpProxy(sessionUrl)
    await using opened = await open(proxy.url)
    const seen: string[] = []
    const subscription = await opened.streams.subscribe(options, async (message) => {
      seen.push(message.eventId)
    })
    await opened.streams.publish([out('k', 0)])
    await eventually(() => expect(seen).toEqual(['k-0']))
    await proxy.setMode({ kind: 'blackhole' })
    const startedMs = performance.now()
    await subscription.stop()
    expect(performance.now() - startedMs).toBeLessThan(2_500)
  })
})
