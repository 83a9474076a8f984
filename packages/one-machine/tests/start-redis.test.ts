import { chmodSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { isAlive, type RedisInstance, type RedisOptions, startRedis } from '@melmastoon/one-machine'
import { temporaryFolder } from '@melmastoon/testkit'
import { Redis } from 'ioredis'
import { describe, expect, it } from 'vitest'
import { withEnvironment } from './environment.ts'

async function using(
  options: RedisOptions,
  work: (instance: RedisInstance) => Promise<void>,
): Promise<void> {
  const instance = await startRedis(options)
  try {
    await work(instance)
  } finally {
    await instance.stop()
  }
}

async function withClient<T>(
  instance: RedisInstance,
  work: (redis: Redis) => Promise<T>,
): Promise<T> {
  const redis = new Redis(instance.url)
  try {
    return await work(redis)
  } finally {
    redis.disconnect()
  }
}

async function fill(redis: Redis): Promise<void> {
  for (let index = 0; index < 400; index += 1) await redis.set(`k${index}`, 'x'.repeat(10_000))
}

describe('startRedis', () => {
  it('rejects writes at its limit under noeviction and evicts values under allkeys-lru', async () => {
    using folder = temporaryFolder()
    const base = { port: 0, maxMemoryMb: 3, databases: 40 }
    await using(
      { ...base, dataDir: join(folder.path, 's'), policy: 'noeviction' },
      async (redis) => {
        await expect(withClient(redis, fill)).rejects.toThrow(/OOM/)
        expect(await withClient(redis, (client) => client.config('GET', 'databases'))).toContain(
          '40',
        )
      },
    )
    await using(
      { ...base, dataDir: join(folder.path, 'c'), policy: 'allkeys-lru' },
      async (redis) => {
        await withClient(redis, fill)
        expect(await withClient(redis, (client) => client.dbsize())).toBeLessThan(400)
      },
    )
  })

  it('preserves values across a restart only with persistence', async () => {
    using folder = temporaryFolder()
    for (const persistence of [true, false]) {
      const dataDir = join(folder.path, String(persistence))
      await using({ dataDir, port: 0, policy: 'noeviction', persistence }, async (redis) => {
        await withClient(redis, (client) => client.set('key', 'value'))
        await redis.restart()
        const stored = await withClient(redis, (client) => client.get('key'))
        expect(stored).toBe(persistence ? 'value' : null)
      })
    }
  })

  it('finds the live server again, ignores a dead one, and restarts after SIGKILL', async () => {
    using folder = temporaryFolder()
    const options = { dataDir: join(folder.path, 'r'), port: 0, policy: 'noeviction' as const }
    await using(options, async (redis) => {
      const again = await startRedis(options)
      expect([again.reused, again.pid, again.port]).toEqual([true, redis.pid, redis.port])
      const second = startRedis({ ...options, reuse: false })
      await expect(second).rejects.toMatchObject({ code: 'ALREADY_RUNNING' })
      await redis.kill()
      expect(isAlive(redis.pid)).toBe(false)
      const fresh = await startRedis(options)
      expect(fresh.reused).toBe(false)
      await fresh.stop()
    })
  })

  it('reports that its port is taken', async () => {
    using folder = temporaryFolder()
    const server = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const address = server.address()
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0
    const start = startRedis({ dataDir: join(folder.path, 'r'), port, policy: 'noeviction' })
    await expect(start).rejects.toMatchObject({ code: 'PORT_BUSY' })
    server.close()
  })

  it('reports that the Redis on the PATH is too old', async () => {
    using folder = temporaryFolder()
    const program = join(folder.path, 'redis-server')
    writeFileSync(program, '#!/bin/sh\necho "Redis server v=6.2.14 sha=0 malloc=libc bits=64"\n')
    chmodSync(program, 0o755)
    using _path = withEnvironment({ PATH: `${folder.path}:${process.env['PATH']}` })
    const start = startRedis({ dataDir: join(folder.path, 'r'), port: 0, policy: 'noeviction' })
    await expect(start).rejects.toMatchObject({ code: 'TOOL_TOO_OLD' })
  })
})
