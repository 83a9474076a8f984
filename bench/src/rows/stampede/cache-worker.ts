import { createCache } from '@melmastoon/chassis/cache'
import { createRedis } from '@melmastoon/chassis/redis'
import { answerAsCache, readUpstream } from './cache-load.ts'

const onError = () => undefined

answerAsCache(async ({ mode, redisCacheUrl, redisSessionUrl, upstreamUrl, ttlMs }) => {
  const redis = createRedis(redisCacheUrl, { name: 'bench-cache', onError })
  const versions = createRedis(redisSessionUrl, { name: 'bench-session', onError })
  const singleFlight = mode as 'fleet' | 'process' | 'none'
  const cache = createCache({ redis, versions, singleFlight })
  const pages = cache.define({
    name: 'page',
    dimensions: ['page'],
    softTtlMs: ttlMs,
    staleWhileRevalidateMs: 30_000,
    staleIfErrorMs: 600_000,
  })
  const tags = ['catalogue']
  const load = async () => ({ body: await readUpstream(upstreamUrl) })
  const ask = (page: string) => pages.get({ dims: { page }, tags, load })
  await ask('to open connections and learn the tags')
  return ask
})
