import { randomUUID } from 'node:crypto'
import type { Redis } from '../redis/index.ts'
import type { BusEpoch } from './event-bus.ts'
import { EPOCH_KEY } from './stream-keys.ts'

/**
 * The key is missing after the server restarted empty. The server's run id changes when it restarts
 * or when a replica takes over; either may have lost the writes of the last second.
 */
export function createStreamEpoch(redis: Redis) {
  let expected = ''
  const epoch: BusEpoch = {
    async read() {
      await redis.set(EPOCH_KEY, randomUUID(), 'NX')
      const name = await redis.get(EPOCH_KEY)
      const runId = /run_id:(\w+)/.exec(await redis.info('server'))?.[1] ?? ''
      return `${name}/${runId}`
    },
    expect(value) {
      expected = value.split('/')[0] ?? ''
    },
  }
  return { epoch, expectedName: () => expected }
}
