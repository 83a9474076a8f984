import { createCache } from 'async-cache-dedupe'
import { Redis } from 'ioredis'
import { readUpstream, respondAsCache } from '../src/rows/stampede/cache-load.ts'

respondAsCache(async ({ redisCacheUrl, upstreamUrl, ttlMs }) => {
  const ttl = Math.ceil(ttlMs / 1000)
  const cache = createCache({
    ttl,
    stale: 30,
    storage: { type: 'redis', options: { client: new Redis(redisCacheUrl) } },
  })
  cache.define('page', async () => JSON.parse(await readUpstream(upstreamUrl)))
  const get = (key) => cache.page(key)
  await get('to open connections')
  return get
})
