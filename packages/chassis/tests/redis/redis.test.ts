import { eventually, startTcpProxy, testRedis } from '@melmastoon/testkit'
import { describe, expect, it } from 'vitest'
import {
  acceptsCommands,
  channelOf,
  createKeySpace,
  createRedis,
  createSubscriber,
  defineScript,
  isReady,
  type Redis,
  type RedisSettings,
  waitUntilReady,
} from '../../src/redis/index.ts'
import { killSubscribers } from './kill-subscribers.ts'

interface OpenRedis extends AsyncDisposable {
  redis: Redis
  errors: Error[]
}

async function open(url: string, settings: Partial<RedisSettings> = {}): Promise<OpenRedis> {
  const errors: Error[] = []
  const onError = (error: Error) => void errors.push(error)
  const redis = createRedis(url, { name: 'test', onError, ...settings })
  return {
    redis,
    errors,
    async [Symbol.asyncDispose]() {
      redis.disconnect()
    },
  }
}

describe('a connection', () => {
  it('queues the first commands until it is ready', async () => {
    const { cacheUrl } = await testRedis()
    await using one = await open(cacheUrl)
    expect([isReady(one.redis), acceptsCommands(one.redis)]).toEqual([false, true])
    expect(await one.redis.set('a', 'b')).toBe('OK')
    expect(isReady(one.redis)).toBe(true)
  })

  it('fails commands immediately without a server, and keeps reconnecting', async () => {
    await using one = await open('redis://127.0.0.1:1')
    const startedMs = performance.now()
    await expect(one.redis.get('a')).rejects.toBeInstanceOf(Error)
    expect(performance.now() - startedMs).toBeLessThan(3_000)
    await eventually(() => expect(one.errors.length).toBeGreaterThan(2))
    expect(await waitUntilReady(one.redis, 20)).toBe(false)
  })

  it('times out a command without a response, and does not send it again', async () => {
    const { cacheUrl } = await testRedis()
    await using proxy = await startTcpProxy(cacheUrl)
    await using one = await open(proxy.url, { commandTimeoutMs: 200 })
    expect(await one.redis.incr('n')).toBe(1)
    await proxy.setMode({ kind: 'blackhole', loses: 'responses' })
    const startedMs = performance.now()
    await expect(one.redis.incr('n')).rejects.toBeInstanceOf(Error)
    expect(performance.now() - startedMs).toBeLessThan(3_000)
    // A silent connection is closed, so it recovers without intervention.
    await eventually(() => expect(isReady(one.redis)).toBe(false))
    await proxy.setMode({ kind: 'pass' })
    expect(await waitUntilReady(one.redis, 10_000)).toBe(true)
    expect(await one.redis.incr('n')).toBe(3)
  })

  it('rejects commands while it is disconnected and reconnects automatically', async () => {
    const { cacheUrl } = await testRedis()
    await using proxy = await startTcpProxy(cacheUrl)
    await using one = await open(proxy.url)
    await one.redis.incr('n')
    await proxy.setMode({ kind: 'refuse' })
    await eventually(() => expect(isReady(one.redis)).toBe(false))
    const startedMs = performance.now()
    await expect(one.redis.incr('n')).rejects.toBeInstanceOf(Error)
    expect(performance.now() - startedMs).toBeLessThan(2_000)
    expect(acceptsCommands(one.redis)).toBe(false)
    await proxy.setMode({ kind: 'pass' })
    expect(await waitUntilReady(one.redis, 10_000)).toBe(true)
    expect(await one.redis.incr('n')).toBe(2)
  })
})

describe('a script', () => {
  const lua = "return {redis.call('INCR', KEYS[1]), ARGV[1]}"

  it('runs with text or bytes, also after the server lost the script', async () => {
    const { cacheUrl } = await testRedis()
    await using one = await open(cacheUrl)
    const script = defineScript(one.redis, { name: 'count', lua, numberOfKeys: 1 })
    expect(await script.run(['n'], ['x'])).toEqual([1, 'x'])
    const bytes = Buffer.from([0, 255, 10, 13])
    expect(await script.runBuffer(['n'], [bytes])).toEqual([2, bytes])
    await one.redis.script('FLUSH')
    expect(await script.run(['n'], [7])).toEqual([3, '7'])
    await expect(script.run([], [])).rejects.toThrow(TypeError)
    const broken = defineScript(one.redis, {
      name: 'broken',
      lua: 'return nope()',
      numberOfKeys: 0,
    })
    await expect(broken.run([], [])).rejects.toBeInstanceOf(Error)
  })
})

const PREFIX = createKeySpace('test-service').prefix('events')

describe('a subscriber', () => {
  it('is one connection for all channels of a client, and ends with it', async () => {
    const { cacheUrl } = await testRedis()
    await using watcher = await open(cacheUrl)
    await using one = await open(cacheUrl, { name: 'shared' })
    const heard: string[] = []
    const names = ['a', 'b'].map((name) => channelOf(one.redis, PREFIX, name))
    for (const name of names) {
      const onMessage = (message: string) => void heard.push(`${name} ${message}`)
      await createSubscriber(one.redis).subscribe(name, { onMessage })
    }
    const count = async () => {
      const list = String(await watcher.redis.call('CLIENT', 'LIST', 'TYPE', 'pubsub'))
      return list.split(` db=${watcher.redis.options.db} `).length - 1
    }
    expect(await count()).toBe(1)
    for (const name of names) await one.redis.publish(name, 'hello')
    await eventually(() => expect(heard).toEqual(names.map((name) => `${name} hello`)))
    one.redis.disconnect()
    await eventually(async () => expect(await count()).toBe(0))
  })

  it('ends with its client even while the server is unavailable', async () => {
    await using one = await open('redis://127.0.0.1:1')
    void createSubscriber(one.redis).subscribe('events', { onMessage: () => undefined })
    await eventually(() => expect(one.redis.status).toBe('reconnecting'))
    one.redis.disconnect()
    expect(one.redis.status).toBe('end')
    const seen = one.errors.length
    // A leaked subscriber would have failed to reconnect several times by then.
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(one.errors.length - seen).toBeLessThanOrEqual(1)
  })

  it('separates the channels of logical databases', async () => {
    const [left, right] = [await testRedis(), await testRedis()]
    await using one = await open(left.cacheUrl)
    await using two = await open(right.cacheUrl)
    expect(channelOf(one.redis, PREFIX, 'x')).not.toBe(channelOf(two.redis, PREFIX, 'x'))
  })

  it('resubscribes after a disconnection and notifies its listeners of possibly missed messages', async () => {
    const { cacheUrl } = await testRedis()
    await using one = await open(cacheUrl)
    const name = channelOf(one.redis, PREFIX, 'events')
    const heard: string[] = []
    let reconnects = 0
    const subscription = await createSubscriber(one.redis).subscribe(name, {
      onMessage: (message) => void heard.push(message),
      onReconnect: () => {
        reconnects += 1
      },
    })
    await killSubscribers(one.redis)
    await eventually(() => expect(reconnects).toBe(1))
    await one.redis.publish(name, 'after')
    await eventually(() => expect(heard).toEqual(['after']))
    subscription.unsubscribe()
    await eventually(async () => expect(await one.redis.publish(name, 'unread')).toBe(0))
  })
})
