import { defineScript, type Redis } from '../redis/index.ts'
import type { DeadLetters } from './event-bus.ts'
import { deadStreamKey, streamKey } from './stream-keys.ts'

/**
 * Atomic: a crash neither loses a message nor leaves it in both places. `reason` and `id` belong to
 * the dead letter, not to the message.
 */
const REPLAY_LUA = `
local replayed = 0
for _, entry in ipairs(redis.call('XRANGE', KEYS[2], '-', '+', 'COUNT', ARGV[1])) do
  local fields = {}
  for i = 1, #entry[2], 2 do
    local name = entry[2][i]
    if name ~= 'reason' and name ~= 'id' and name ~= 'subject' then
      fields[#fields + 1] = name
      fields[#fields + 1] = entry[2][i + 1]
    end
  end
  redis.call('XADD', KEYS[1], '*', unpack(fields))
  redis.call('XDEL', KEYS[2], entry[1])
  replayed = replayed + 1
end
return replayed
`

export function createStreamDeadLetters(redis: Redis): DeadLetters {
  const replay = defineScript(redis, {
    name: 'bus-replay',
    lua: REPLAY_LUA,
    numberOfKeys: 2,
  })
  return {
    depth: (name) => redis.xlen(deadStreamKey(name)),
    async replay({ name, subject, limit }) {
      return Number(await replay.run([streamKey(subject), deadStreamKey(name)], [limit]))
    },
  }
}
