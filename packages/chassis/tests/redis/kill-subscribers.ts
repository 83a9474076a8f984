import type { Redis } from '../../src/redis/index.ts'

/** Closes the subscriber connections of this client's logical database only. */
export async function killSubscribers(redis: Redis): Promise<void> {
  const list = String(await redis.call('CLIENT', 'LIST', 'TYPE', 'pubsub'))
  const ours = new RegExp(`^id=(\\d+) .* db=${redis.options.db ?? 0} `)
  for (const line of list.split('\n')) {
    const id = ours.exec(line)?.[1]
    if (id !== undefined) await redis.call('CLIENT', 'KILL', 'ID', id)
  }
}
