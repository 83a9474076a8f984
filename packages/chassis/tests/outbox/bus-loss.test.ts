import { freePort, startRedis } from '@melmastoon/one-machine'
import { eventually, temporaryFolder } from '@melmastoon/testkit'
import { describe, expect, it } from 'vitest'
import { createRedisStreamsBus, streamKey } from '../../src/bus/index.ts'
import { sql } from '../../src/db/index.ts'
import { createConsumer, on } from '../../src/inbox/index.ts'
import { createRedis } from '../../src/redis/index.ts'
import { note, notePlaced, recordEffect, SUBJECT } from './outbox-schema.ts'
import { type OutboxWorld, orderViolations, outboxWorld } from './outbox-world.ts'

const ignore = () => undefined

/** A bus on a server of its own, which keeps nothing when it is killed. */
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

function consumerOf(world: OutboxWorld, { bus }: OwnBus, duplicates: string[]) {
  return createConsumer({
    db: world.app,
    bus,
    subscription: 'obx',
    ackDeadlineMs: 600,
    backoff: { minMs: 5, maxMs: 20 },
    handlers: [on(notePlaced, { scope: 'tenant', handle: recordEffect })],
    metrics: { onDuplicate: (subject) => duplicates.push(subject) },
    onError: ignore,
  })
}

describe('D21 the bus comes back empty', { timeout: 60_000 }, () => {
  it('what it had is published again, in order, and each effect happens once', async () => {
    await using world = await outboxWorld()
    await using own = await ownBus()
    const duplicates: string[] = []
    const replayed: number[] = []
    const metrics = { onBusChanged: (count: number) => replayed.push(count) }
    const options = { bus: own.bus, metrics, leaseSeconds: 1, publishTimeoutMs: 1_000 }
    const relay = world.relay(options)
    relay.start()
    const first = consumerOf(world, own, duplicates)
    await first.start()
    await world.append(...Array.from({ length: 10 }, (_, index) => note('k', index)))
    await eventually(async () => expect(await world.effects()).toHaveLength(10))
    await first.stop()
    await world.append(...Array.from({ length: 10 }, (_, index) => note('k', 10 + index)))
    await eventually(async () => expect(await world.pending()).toBe(0))
    await own.loseEverything()
    await world.append(...Array.from({ length: 10 }, (_, index) => note('k', 20 + index)))
    await using second = consumerOf(world, own, duplicates)
    await second.start()
    await eventually(async () => expect(await world.effects()).toHaveLength(30), {
      timeoutMs: 20_000,
    })
    expect(orderViolations(await world.effects())).toBe(0)
    await eventually(() => expect(duplicates).toHaveLength(10))
    expect(replayed.reduce((sum, count) => sum + count, 0)).toBe(20)
    expect(await world.effects()).toHaveLength(30)
    await relay.stop()
  })

  it('control: older than the margin is not replayed, and nothing is while the bus stays', async () => {
    await using world = await outboxWorld()
    await using own = await ownBus()
    const relay = world.relay({ bus: own.bus, replayMarginSeconds: 60 })
    await world.append(note('old', 0), note('new', 0))
    await relay.drainOnce()
    await relay.drainOnce()
    expect(await own.redis.xlen(streamKey(SUBJECT))).toBe(2)
    await world.admin.query(sql`
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
