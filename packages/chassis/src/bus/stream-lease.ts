import { randomUUID } from 'node:crypto'
import type { Clock } from '../clock/index.ts'
import { defineScript, type Redis } from '../redis/index.ts'
import { leaseKey } from './stream-keys.ts'

const HOLD_LUA = `
if redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then return 'taken' end
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 'elsewhere' end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 'renewed'
`
const RELEASE_LUA = `
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0
`

export interface StreamLeaseOptions {
  redis: Redis
  subscription: string
  subject: string
  durationMs: number
  clock: Clock
}

/**
 * Only one consumer of a subscription reads a subject at a time: a consumer group would distribute
 * the messages of one key over several processes and lose their order.
 */
export function createStreamLease(options: StreamLeaseOptions) {
  const { redis, subscription, subject, durationMs, clock } = options
  const key = leaseKey(subscription, subject)
  const token = randomUUID()
  const hold = defineScript(redis, { name: 'bus-lease-hold', lua: HOLD_LUA, numberOfKeys: 1 })
  const drop = defineScript(redis, { name: 'bus-lease-drop', lua: RELEASE_LUA, numberOfKeys: 1 })
  let heldUntilMs = Number.NEGATIVE_INFINITY
  return {
    /** Measured from before the renewal was sent, so it never ends later than on the server. */
    isHeld: () => clock.monotonicMs() < heldUntilMs,
    remainingMs: () => heldUntilMs - clock.monotonicMs(),
    async hold(): Promise<'taken' | 'renewed' | 'elsewhere'> {
      const sentAtMs = clock.monotonicMs()
      const reply = await hold.run([key], [token, durationMs])
      heldUntilMs = reply === 'elsewhere' ? Number.NEGATIVE_INFINITY : sentAtMs + durationMs
      return reply === 'taken' || reply === 'renewed' ? reply : 'elsewhere'
    },
    async release(): Promise<void> {
      heldUntilMs = Number.NEGATIVE_INFINITY
      await drop.run([key], [token])
    },
  }
}

export type StreamLease = ReturnType<typeof createStreamLease>
