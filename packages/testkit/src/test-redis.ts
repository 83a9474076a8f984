import { Redis } from 'ioredis'
import { testInfra } from './infra.ts'

export interface TestRedis {
  readonly database: number
  readonly sessionUrl: string
  readonly cacheUrl: string
}

/** Both servers have databases 0–1023; number 0 stores the counter. */
const scopes = 1023

/** A pair of empty logical databases that no other test of this run uses in any worker. */
export async function testRedis(): Promise<TestRedis> {
  const { redisSessionUrl, redisCacheUrl } = testInfra()
  const database = await nextDatabase(redisSessionUrl)
  const [sessionUrl, cacheUrl] = [`${redisSessionUrl}/${database}`, `${redisCacheUrl}/${database}`]
  await Promise.all([emptyDatabase(sessionUrl), emptyDatabase(cacheUrl)])
  return { database, sessionUrl, cacheUrl }
}

function nextDatabase(url: string): Promise<number> {
  return withRedis(url, async (redis) => ((await redis.incr('testkit:scopes')) % scopes) + 1)
}

async function emptyDatabase(url: string): Promise<void> {
  await withRedis(url, (redis) => redis.flushdb())
}

async function withRedis<T>(url: string, work: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis(url, { lazyConnect: true, maxRetriesPerRequest: 1 })
  redis.on('error', () => undefined)
  try {
    await redis.connect()
    return await work(redis)
  } finally {
    redis.disconnect()
  }
}
