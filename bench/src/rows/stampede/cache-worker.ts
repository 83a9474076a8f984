import { createCache } from '@melmastoon/chassis/cache'
import { createKeySpace, createRedis } from '@melmastoon/chassis/redis'
import { readUpstream, respondAsCache } from './cache-load.ts'

const onError = () => undefined

respondAsCache(async ({ mode, redisCacheUrl, redisSessionUrl, upstreamUrl, ttlMs }) => {
  if (mode === 'none') return () => readUpstream(upstreamUrl)
  const redis = createRedis(redisCacheUrl, { name: 'bench-cache', onError })
  const versions = createRedis(redisSessionUrl, { name: 'bench-session', onError })
  const cache = createCache({ redis, versions, keys: createKeySpace('bench') })
  const pages = cache.define({
    name: 'page',
    dimensions: ['page'],
    softTtlMs: ttlMs,
    staleWhileRevalidateMs: 30_000,
    staleIfErrorMs: 600_000,
  })
  const tags = ['catalogue']
  const load = async () => ({ body: await readUpstream(upstreamUrl) })
  const get = (page: string) => pages.get({ dims: { page }, tags, load })
  await get('to open connections and load the tags')
  return get
})
