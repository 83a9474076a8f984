import { defineScript, type Redis, type Script } from '@melmastoon/chassis/redis'

/**
 * A sliding-window estimate: the count of the current window, and of the previous one as much as
 * still overlaps, on Redis's own clock. Adding 0 writes nothing. One hash has several counts, each
 * with its own prefix of fields.
 */
const COUNT_LUA = `
local time = redis.call('TIME')
local now = time[1] + time[2] / 1000000
local function count(key, prefix, window, added)
  local number = math.floor(now / window)
  local fields = {prefix .. 'w', prefix .. 'c', prefix .. 'p'}
  local stored = redis.call('HMGET', key, fields[1], fields[2], fields[3])
  local last, current, previous = tonumber(stored[1] or -1), tonumber(stored[2] or 0), tonumber(stored[3] or 0)
  if last == number - 1 then previous, current = current, 0
  elseif last ~= number then previous, current = 0, 0 end
  current = current + added
  if added > 0 then
    redis.call('HSET', key, fields[1], number, fields[2], current, fields[3], previous)
  end
  return math.floor(previous * (1 - (now / window - number)) + current)
end
`

/**
 * One visitor. Its origin is stored with its first request and expires a fixed time later; without
 * an origin the count expires with its window.
 */
const VISITOR_LUA = `${COUNT_LUA}
local window, added, origin = tonumber(ARGV[1]), tonumber(ARGV[2]), ARGV[3]
local pace = count(KEYS[1], '', window, added)
if origin == '' then
  redis.call('EXPIRE', KEYS[1], window * 2)
  return {pace, ''}
end
local first = redis.call('HGET', KEYS[1], 'o')
if first then return {pace, first} end
redis.call('HSET', KEYS[1], 'o', origin)
redis.call('EXPIRE', KEYS[1], ARGV[4])
return {pace, origin}
`

/** An address and a device at it: requests of both, new sessions of the device. */
const DEVICE_LUA = `${COUNT_LUA}
local window, added, sessionsWindow, newSessions =
  tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local address = count(KEYS[1], '', window, added)
local device = count(KEYS[2], '', window, added)
local sessions = count(KEYS[2], 's', sessionsWindow, newSessions)
if added > 0 then redis.call('EXPIRE', KEYS[1], window * 2) end
if added + newSessions > 0 then redis.call('EXPIRE', KEYS[2], sessionsWindow * 2) end
return {address, device, sessions}
`

/** For how long a visitor is cleared, and how often it failed. */
const CHALLENGES_LUA = `
return {redis.call('PTTL', KEYS[1]), redis.call('GET', KEYS[2]) or 0}
`

export interface VisitorScripts {
  /** Keys: the visitor. Arguments: window, added, origin (or empty), seconds of the origin. */
  readonly visitor: Script
  /** Keys: address and device. Arguments: window, added, window and number of new sessions. */
  readonly device: Script
  /** Keys: clearance and failures of one visitor. */
  readonly challenges: Script
}

export function defineVisitorScripts(redis: { session: Redis; cache: Redis }): VisitorScripts {
  const { session, cache } = redis
  return {
    visitor: defineScript(cache, { name: 'bot-visitor', lua: VISITOR_LUA, numberOfKeys: 1 }),
    device: defineScript(cache, { name: 'bot-device', lua: DEVICE_LUA, numberOfKeys: 2 }),
    challenges: defineScript(session, {
      name: 'bot-challenges',
      lua: CHALLENGES_LUA,
      numberOfKeys: 2,
    }),
  }
}
