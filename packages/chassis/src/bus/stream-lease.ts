import { randomUUID } from 'node:crypto'
import type { Clock } from '../clock/index.ts'
import { defineScript, type Redis } from '../redis/index.ts'
import { leaseKey } from './stream-keys.ts'

/** The leases of all subjects in one call: the key and the token of each. */
const HOLD_LUA = `
local outcomes = {}
for i, key in ipairs(KEYS) do
  local token = ARGV[i + 1]
  if redis.call('SET', key, token, 'NX', 'PX', ARGV[1]) then
    outcomes[i] = 'taken'
  elseif redis.call('GET', key) ~= token then
    outcomes[i] = 'elsewhere'
  else
    redis.call('PEXPIRE', key, ARGV[1])
    outcomes[i] = 'renewed'
  end
end
return outcomes
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
  const drop = defineScript(redis, { name: 'bus-lease-drop', lua: RELEASE_LUA, numberOfKeys: 1 })
  let heldUntilMs = Number.NEGATIVE_INFINITY
  return {
    /** Measured from before the renewal was sent, so it never ends later than on the server. */
    isHeld: () => clock.monotonicMs() < heldUntilMs,
    remainingMs: () => heldUntilMs - clock.monotonicMs(),
    key,
    token,
    /** Records the outcome of an attempt that was sent at the given time. */
    adopt(outcome: LeaseOutcome, sentAtMs: number): void {
      heldUntilMs = outcome === 'elsewhere' ? Number.NEGATIVE_INFINITY : sentAtMs + durationMs
    },
    async release(): Promise<void> {
      heldUntilMs = Number.NEGATIVE_INFINITY
      await drop.run([key], [token])
    },
  }
}

export type StreamLease = ReturnType<typeof createStreamLease>

export type LeaseOutcome = 'taken' | 'renewed' | 'elsewhere'

export type HoldLeases = (leases: readonly StreamLease[]) => Promise<LeaseOutcome[]>

/** Takes or renews leases, all in one round trip. */
export function holdLeases(
  options: Pick<StreamLeaseOptions, 'redis' | 'clock' | 'durationMs'>,
): HoldLeases {
  const { redis, clock, durationMs } = options
  const hold = defineScript(redis, { name: 'bus-lease-hold', lua: HOLD_LUA, numberOfKeys: 'any' })
  return async (leases) => {
    if (leases.length === 0) return []
    const sentAtMs = clock.monotonicMs()
    const keys = leases.map(({ key }) => key)
    const reply = await hold.run(keys, [durationMs, ...leases.map(({ token }) => token)])
    const outcomes = Array.isArray(reply) ? reply.map(toOutcome) : []
    return leases.map((lease, index) => {
      const outcome = outcomes[index] ?? 'elsewhere'
      lease.adopt(outcome, sentAtMs)
      return outcome
    })
  }
}

function toOutcome(reply: unknown): LeaseOutcome {
  return reply === 'taken' || reply === 'renewed' ? reply : 'elsewhere'
}
