import { freePort, startRedis } from '@melmastoon/one-machine'
import { eventually, temporaryFolder } from '@melmastoon/testkit'
import { describe, expect, it } from 'vitest'
import { createRedisStreamsBus, streamKey } from '../../src/bus/index.ts'
import { sql } from '../../src/db/index.ts'
import { createConsumer, on } from '../../src/inbox/index.ts'
import { createRedis } from '../../src/redis/index.ts'
import { type OutboxEnvironment, orderViolations, outboxEnvironment } from './outbox-environment.ts'
import { note, notePlaced, recordEffect, SUBJECT } from './outbox-schema.ts'

const ignore = () => undefined

/** A bus on a separate server without persistence. */
async function ownBus() {
  const stack = new AsyncDisposableStack()
  const folder = stack.use(temporaryFolder())
  const options = { dataDir: folder.path, port: await freePort(), policy: 'noeviction' } as const
  const server = await startRedis(options)
  stack.defer(() => server.kill())
  const redis = createRedis(server.url, { name: 'own', onError: ignore, commandTimeoutMs: 500 })
  stack.defer(() => redis.disconnect())
  const bus = stack.use(createRedisStreamsBus({ redis }))
  return {
    bus,
    redis,
    async loseEverything() {
      await server.kill()
      await server.restart()
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

type OwnBus = Awaited<ReturnType<typeof ownBus>>

function consumerOf(env: OutboxEnvironment, { bus }: OwnBus, duplicates: string[]) {
  return createConsumer({
    db: env.app,
    bus,
    subscription: 'obx',
    ackDeadlineMs: 600,
    backoff: { minMs: 5, maxMs: 20 },
    handlers: [on(notePlaced, { scope: 'tenant', handle: recordEffect })],
    metrics: { onDuplicate: (subject) => duplicates.push(subject) },
    onError: ignore,
  })
}

describe('D21 after the bus has lost its data', { timeout: 60_000 }, () => {
  it('its events are published again in order, with one effect each', async () => {
    await using env = await outboxEnvironment()
    await using own = await ownBus()
    const duplicates: string[] = []
    const replayed: number[] = []
    const metrics = { onBusChanged: (count: number) => replayed.push(count) }
    const options = { bus: own.bus, metrics, leaseSeconds: 1, publishTimeoutMs: 1_000 }
    const relay = env.relay(options)
    relay.start()
    const first = consumerOf(env, own, duplicates)
    await first.start()
    await env.append(...Array.from({ length: 10 }, (_, index) => note('k', index)))
    await eventually(async () => expect(await env.effects()).toHaveLength(10))
    await first.stop()
    await env.append(...Array.from({ length: 10 }, (_, index) => note('k', 10 + index)))
    await eventually(async () => expect(await env.pending()).toBe(0))
    await own.loseEverything()
    await env.append(...Array.from({ length: 10 }, (_, index) => note('k', 20 + index)))
    await using second = consumerOf(env, own, duplicates)
    await second.start()
    await eventually(async () => expect(await env.effects()).toHaveLength(30), {
      timeoutMs: 20_000,
    })
    expect(orderViolations(await env.effects())).toBe(0)
    await eventually(() => expect(duplicates).toHaveLength(10))
    expect(replayed.reduce((sum, count) => sum + count, 0)).toBe(20)
    expect(await env.effects()).toHaveLength(30)
    await relay.stop()
  })

  it('control: events older than the margin are not replayed, and none without a loss', async () => {
    await using env = await outboxEnvironment()
    await using own = await ownBus()
    const relay = env.relay({ bus: own.bus, replayMarginSeconds: 60 })
    await env.append(note('old', 0), note('new', 0))
    await relay.drainOnce()
    await relay.drainOnce()
    expect(await own.redis.xlen(streamKey(SUBJECT))).toBe(2)
    await env.admin.query(sql`
      update outbox_published set published_at = now() - interval '2 minutes'
      where ordering_key = 'old'`)
    await own.loseEverything()
    await eventually(async () => {
      await relay.drainOnce()
      expect(await own.redis.xlen(streamKey(SUBJECT))).toBe(1)
    })
    const [entry] = await own.redis.xrange(streamKey(SUBJECT), '-', '+')
    expect(entry?.[1]).toContain('new')
  })
})
