import { BentoCache, bentostore } from 'bentocache'
import { memoryDriver } from 'bentocache/drivers/memory'
import { redisBusDriver, redisDriver } from 'bentocache/drivers/redis'
import { readUpstream, respondAsCache } from '../src/rows/stampede/cache-load.ts'

respondAsCache(async ({ redisCacheUrl, upstreamUrl, ttlMs }) => {
  const { hostname: host, port, pathname } = new URL(redisCacheUrl)
  const connection = { host, port: Number(port), db: Number(pathname.slice(1)) }
  const store = bentostore()
    .useL1Layer(memoryDriver({ maxSize: '64mb' }))
    .useL2Layer(redisDriver({ connection }))
    .useBus(redisBusDriver({ connection }))
  const bento = new BentoCache({ default: 'pages', stores: { pages: store } })
  const factory = async () => JSON.parse(await readUpstream(upstreamUrl))
  const get = (key) => bento.getOrSet({ key, factory, ttl: ttlMs, grace: '10m', timeout: 1 })
  await get('to open connections')
  return get
})
