import { createRedis, waitUntilReady } from '@melmastoon/chassis/redis'
import { unreachable } from './messages.ts'

const PATIENCE_MS = 3000

/** A Redis server of the caller must be reachable before anything else starts. */
export async function checkRedis(url: string, variable: string): Promise<void> {
  let reason = 'timed out'
  const redis = createRedis(url, {
    name: 'melmastoon-start',
    onError: (error) => {
      reason = 'code' in error ? String(error.code) : error.message
    },
  })
  try {
    if (await waitUntilReady(redis, PATIENCE_MS)) return
    throw unreachable(variable, URL.parse(url)?.host ?? 'a URL that cannot be read', reason)
  } finally {
    redis.disconnect()
  }
}
