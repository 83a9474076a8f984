import { eventually, latch, startTcpProxy, testRedis } from '@melmastoon/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  createRedisStreamsBus,
  deadLetterName,
  deadStreamKey,
  type EventBus,
  type OutboundMessage,
  streamKey,
} from '../../src/bus/index.ts'
import { createRedis, type Redis } from '../../src/redis/index.ts'
import { busSuite } from './bus-suite.ts'

const SUBJECT = 'melmastoon.example.stream.v1'
const options = { subscription: 'sub', subjects: [SUBJECT] }
let redis: Redis
let bus: EventBus

const out = (orderingKey: string, ordinal: number): OutboundMessage => ({
  eventId: `${orderingKey}-${ordinal}`,
  subject: SUBJECT,
  orderingKey,
  body: '{}',
  attributes: {},
})

async function open(url?: string) {
  const connection = createRedis(url ?? (await testRedis()).sessionUrl, {
    name: 'bus',
    onError: () => undefined,
    commandTimeoutMs: 500,
  })
  return { connection, streams: createRedisStreamsBus({ redis: connection, maxLength: 50 }) }
}

beforeAll(async () => {
  const opened = await open()
  redis = opened.connection
  bus = opened.streams
})
afterAll(async () => {
  await bus[Symbol.asyncDispose]()
  redis.disconnect()
})

describe('Redis Streams', () => {
  busSuite(() => ({
    bus,
    async deadLetters(subscription, subject) {
      const key = deadStreamKey(deadLetterName(subscription, subject))
      const entries = await redis.xrange(key, '-', '+')
      return entries.map(([, fields]) => fields[fields.indexOf('e') + 1] ?? '')
    },
  }))

  it('delivers the messages of a crashed consumer before new ones', async () => {
    const { connection, streams } = await open()
    await streams.publish([out('k', 0), out('k', 1)])
    await connection.xgroup('CREATE', streamKey(SUBJECT), 'sub', '0', 'MKSTREAM')
    await connection.call(
      'XREADGROUP',
      'GROUP',
      'sub',
      'dead',
      'COUNT',
      2,
      'STREAMS',
      streamKey(SUBJECT),
      '>',
    )
    await streams.publish([out('k', 2)])
    const seen: string[] = []
    const subscription = await streams.subscribe(
      { ...options, ackDeadlineMs: 300 },
      async (message) => {
        seen.push(`${message.eventId} ${message.deliveryCount}`)
      },
    )
    await eventually(() => expect(seen).toEqual(['k-0 2', 'k-1 2', 'k-2 1']))
    await eventually(async () => {
      const consumers = await connection.call('XINFO', 'CONSUMERS', streamKey(SUBJECT), 'sub')
      expect(JSON.stringify(consumers)).not.toContain('"dead"')
    })
    await subscription.stop()
    connection.disconnect()
  })

  it('has one active consumer per subscription, which the next one replaces', async () => {
    const { connection, streams } = await open()
    const seen: string[] = []
    const consume = (name: string) =>
      streams.subscribe({ ...options, ackDeadlineMs: 600 }, async (message) => {
        seen.push(`${name} ${message.eventId}`)
      })
    const first = await consume('first')
    await streams.publish([out('k', 0)])
    await eventually(() => expect(seen).toEqual(['first k-0']))
    const second = await consume('second')
    await streams.publish([out('k', 1), out('j', 1)])
    await eventually(() => expect(seen).toHaveLength(3))
    expect(seen.every((line) => line.startsWith('first'))).toBe(true)
    await first.stop()
    await streams.publish([out('k', 2)])
    await eventually(() => expect(seen.at(-1)).toBe('second k-2'))
    await second.stop()
    connection.disconnect()
  })

  it('creates the groups again after the server lost its data, and delivers new messages', async () => {
    const { connection, streams } = await open()
    const seen: string[] = []
    await using _ = await streams.subscribe({ ...options, ackDeadlineMs: 600 }, async (message) => {
      seen.push(message.eventId)
    })
    await connection.flushdb()
    await streams.publish([out('k', 0)])
    await eventually(() => expect(seen).toEqual(['k-0']))
    connection.disconnect()
  })

  it('reports a lost server as unavailable and a key of another type as rejected', async () => {
    const { sessionUrl } = await testRedis()
    await using proxy = await startTcpProxy(sessionUrl)
    const { connection, streams } = await open(proxy.url)
    await connection.set(streamKey(SUBJECT), 'not a stream')
    const other = { ...out('k', 1), subject: 'melmastoon.example.other.v1', orderingKey: 'other' }
    const [rejected, sameKey, fine] = await streams.publish([
      out('k', 0),
      { ...other, orderingKey: 'k' },
      other,
    ])
    expect(rejected).toMatchObject({ ok: false, kind: 'rejected' })
    expect(sameKey).toMatchObject({ ok: false })
    expect(fine).toEqual({ ok: true })
    await proxy.setMode({ kind: 'refuse' })
    expect(await streams.publish([other])).toMatchObject([{ ok: false, kind: 'unavailable' }])
    connection.disconnect()
  })

  it('trims the stream to approximately its maximum length', async () => {
    const { connection, streams } = await open()
    for (let round = 0; round < 5; round += 1) {
      await streams.publish(Array.from({ length: 100 }, (_, index) => out('k', index)))
    }
    expect(await connection.xlen(streamKey(SUBJECT))).toBeLessThan(250)
    connection.disconnect()
  })

  it('delivers its messages again to a consumer that was disconnected', async () => {
    const { sessionUrl } = await testRedis()
    await using proxy = await startTcpProxy(sessionUrl)
    const direct = await open(sessionUrl)
    const cut = await open(proxy.url)
    const seen = new Set<string>()
    const entered = latch()
    await using _ = await cut.streams.subscribe(
      { ...options, ackDeadlineMs: 600 },
      async (message) => {
        seen.add(message.eventId)
        entered.open()
      },
    )
    await direct.streams.publish([out('k', 0)])
    await entered.promise
    proxy.cut()
    await direct.streams.publish([out('k', 1), out('k', 2)])
    await eventually(() => expect(seen).toEqual(new Set(['k-0', 'k-1', 'k-2'])), {
      timeoutMs: 10_000,
    })
    await eventually(async () => {
      const [pending] = await direct.connection.xpending(streamKey(SUBJECT), 'sub')
      expect(Number(pending)).toBe(0)
    })
    cut.connection.disconnect()
    direct.connection.disconnect()
  })
})
