import { burstOf, intervalMsOf, type LimitPolicy } from './limit-policy.ts'

/**
 * The generic cell rate algorithm: one number per key, the theoretical arrival time (`tat`) of the
 * next conforming request. No window has an edge at which a double burst would fit.
 */
export interface GcraStep {
  granted: number
  tatMs: number
  remaining: number
  resetMs: number
  retryAfterMs: number
}

export function gcraStep(
  policy: LimitPolicy,
  bucket: { tatMs: number; nowMs: number },
  wanted: number,
): GcraStep {
  const interval = intervalMsOf(policy)
  const tatMs = Math.max(bucket.tatMs, bucket.nowMs)
  const available = Math.floor(burstOf(policy) - (tatMs - bucket.nowMs) / interval + 1e-9)
  const granted = Math.max(0, Math.min(wanted, available))
  const next = tatMs + granted * interval
  const retryAfterMs = next + interval * (1 - burstOf(policy)) - bucket.nowMs
  return {
    granted,
    tatMs: next,
    remaining: Math.max(0, available - granted),
    resetMs: next - bucket.nowMs,
    retryAfterMs: granted > 0 ? 0 : Math.max(0, retryAfterMs),
  }
}

/** The same step in Redis, with Redis's clock, one key and one round trip. */
export const GCRA_LUA = `
local interval, burst, wanted = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local tat = math.max(tonumber(redis.call('GET', KEYS[1]) or '0'), now)
local available = math.floor(burst - (tat - now) / interval + 1e-9)
local granted = math.max(0, math.min(wanted, available))
local next = tat + granted * interval
if granted > 0 then
  redis.call('SET', KEYS[1], string.format('%.3f', next), 'PX', math.max(1, math.ceil(next - now)))
end
local retry = 0
if granted == 0 then retry = math.max(0, next + interval * (1 - burst) - now) end
return {granted, math.max(0, available - granted), math.ceil(next - now), math.ceil(retry)}
`
