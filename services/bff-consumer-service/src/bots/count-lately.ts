import { defineScript, type Redis } from '@melmastoon/chassis/redis'

/**
 * How many within the last window, about: those of the current one, and of the one before as much
 * as still overlaps. One key, one round trip, on Redis's own clock. Adding nothing makes no key.
 */
const COUNT_LUA = `
local window, added = tonumber(ARGV[1]), tonumber(ARGV[2])
local time = redis.call('TIME')
local now = time[1] + time[2] / 1000000
local number = math.floor(now / window)
local kept = redis.call('HMGET', KEYS[1], 'w', 'c', 'p')
local last, current, previous = tonumber(kept[1] or -1), tonumber(kept[2] or 0), tonumber(kept[3] or 0)
if last == number - 1 then previous, current = current, 0
elseif last ~= number then previous, current = 0, 0 end
current = current + added
if added > 0 then
  redis.call('HSET', KEYS[1], 'w', number, 'c', current, 'p', previous)
  redis.call('EXPIRE', KEYS[1], window * 2)
end
return math.floor(previous * (1 - (now / window - number)) + current)
`

export interface Counted {
  readonly key: string
  readonly windowSeconds: number
  /** How many more there are now; 0 only asks. */
  readonly added: number
}

export function createCountLately(redis: Redis): (counted: Counted) => Promise<number> {
  const script = defineScript(redis, { name: 'count-lately', lua: COUNT_LUA, numberOfKeys: 1 })
  return async ({ key, windowSeconds, added }) =>
    Number(await script.run([`bot:count:${key}`], [windowSeconds, added]))
}
