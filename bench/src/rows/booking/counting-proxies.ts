import {
  type CountingProxy,
  countPostgresRoundTrips,
  countRedisCommands,
} from '@melmastoon/testkit'
import { serveCommands } from '../../harness/serve-commands.ts'

/** The settings of a service that name a server it uses. */
export type ServerUrls = Readonly<
  Record<'DATABASE_APP_URL' | 'REDIS_SESSION_URL' | 'REDIS_CACHE_URL', string>
>

export interface Trips {
  readonly postgres: number
  readonly redis: number
}

let proxies: CountingProxy[] = []

/** A process of its own, which ends with its row. */
async function start(urls: ServerUrls): Promise<ServerUrls> {
  const app = await countPostgresRoundTrips(urls.DATABASE_APP_URL)
  const session = await countRedisCommands(urls.REDIS_SESSION_URL)
  const cache = await countRedisCommands(urls.REDIS_CACHE_URL)
  proxies = [app, session, cache]
  return {
    DATABASE_APP_URL: app.url,
    REDIS_SESSION_URL: session.url,
    REDIS_CACHE_URL: cache.url,
  }
}

function reset(): void {
  for (const proxy of proxies) proxy.reset()
}

function read(): Trips {
  const [postgres = 0, ...redis] = proxies.map(({ count }) => count)
  return { postgres, redis: redis.reduce((sum, count) => sum + count, 0) }
}

serveCommands({ start, reset, read })
