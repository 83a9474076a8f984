import { defineScript, type Redis, type Script } from '../redis/index.ts'
import type { OutboundMessage, PublishOutcome } from './event-bus.ts'
import { EPOCH_KEY, LEASE_PREFIX, STREAM_PREFIX, streamKey } from './stream-keys.ts'
import { ACKNOWLEDGED_LUA } from './trim-lua.ts'

/**
 * All XADDs of a batch in one command: one reply instead of hundreds, and the script can stop a key
 * at its first failure, which a pipeline cannot.
 *
 * It first frees space. Messages that all groups acknowledged are deleted first. If that is not
 * enough and an active consumer has not read the rest, the stream is full and the events wait in
 * the outbox. A group without a consumer delays no one: its oldest messages are deleted, and their
 * number is returned.
 */
const PUBLISH_LUA = `${ACKNOWLEDGED_LUA}
local maxLength, keepMs, expected = tonumber(ARGV[1]), tonumber(ARGV[2]), ARGV[3]
local streamPrefix, leasePrefix = ARGV[4], ARGV[5]
local epoch = redis.call('GET', KEYS[#KEYS])
if expected ~= '' and epoch ~= expected then
  return redis.error_reply('EPOCH the broker has another epoch')
end

local function lengthOf(stream)
  local length = redis.pcall('XLEN', stream)
  return type(length) == 'number' and length or 0
end
local function readByAllConsumers(stream, groups)
  local subject, bound = string.sub(stream, #streamPrefix + 1), nil
  for _, group in ipairs(groups) do
    local last = group['last-delivered-id']
    local isAtWork = redis.call('EXISTS', leasePrefix .. group.name .. '.' .. subject) == 1
    if isAtWork and (not bound or isBelow(last, bound)) then bound = last end
  end
  return bound
end
local function makeRoom(stream)
  local length = lengthOf(stream)
  if length < math.min(maxLength, 1000) then return 0, false end
  local groups = groupsOf(stream)
  if #groups == 0 then
    local oldest = tonumber(redis.call('TIME')[1]) * 1000 - keepMs
    redis.call('XTRIM', stream, 'MINID', '~', string.format('%.0f', oldest), 'LIMIT', 0)
  else
    trimAcknowledged(stream, groups)
  end
  if lengthOf(stream) < maxLength then return 0, false end
  local bound = readByAllConsumers(stream, groups)
  local bite = math.max(200, math.floor(maxLength / 10))
  local gone
  if bound then
    gone = redis.call('XTRIM', stream, 'MINID', '~', bound, 'LIMIT', bite)
  else
    gone = redis.call('XTRIM', stream, 'MAXLEN', '~', math.floor(maxLength * 0.9), 'LIMIT', 0)
  end
  return #groups > 0 and gone or 0, bound and lengthOf(stream) >= maxLength
end

local failures, stopped, trimmed, full = {}, {}, {}, {}
for i = 1, #KEYS - 1 do
  local gone, isFull = makeRoom(KEYS[i])
  full[i] = isFull
  if gone > 0 then
    trimmed[#trimmed + 1] = i - 1
    trimmed[#trimmed + 1] = gone
  end
end
for i = 6, #ARGV, 5 do
  local position, key = tonumber(ARGV[i]), ARGV[i + 1]
  local failure = stopped[key]
  if not failure and full[position] then
    failure = 'FULL a consumer is behind by the whole stream'
    stopped[key] = failure
  end
  if not failure then
    local reply = redis.pcall('XADD', KEYS[position], '*',
      'k', key, 'e', ARGV[i + 2], 'b', ARGV[i + 3], 'a', ARGV[i + 4])
    if type(reply) == 'table' and reply.err then
      failure = reply.err
      stopped[key] = failure
    end
  end
  if failure then
    failures[#failures + 1] = (i - 6) / 5
    failures[#failures + 1] = failure
  end
end
return { failures, trimmed }
`

/** A batch is one script, which blocks Redis for about 3 µs per message. */
const BATCH_MAX = 2_000

/** How long a stream without subscriptions retains its messages for a first subscriber. */
const UNREAD_RETENTION_MS = 3_600_000

/** The server cannot write at all; the message itself is valid. */
const UNAVAILABLE =
  /^(OOM|READONLY|MISCONF|LOADING|BUSY|CLUSTERDOWN|MASTERDOWN|NOREPLICAS|TRYAGAIN|EPOCH|FULL)/

const PUBLISHED: PublishOutcome = { ok: true }

export interface StreamPublisherOptions {
  redis: Redis
  maxLength: number
  expectedEpoch: () => string
  onTrimmed: (trimmed: { subject: string; count: number }) => void
}

export function createStreamPublisher(options: StreamPublisherOptions) {
  const { redis, onTrimmed } = options
  const scripts = new Map<number, Script>()
  const scriptFor = (numberOfKeys: number) => {
    const known = scripts.get(numberOfKeys)
    if (known !== undefined) return known
    const script = defineScript(redis, { name: 'bus-publish', lua: PUBLISH_LUA, numberOfKeys })
    scripts.set(numberOfKeys, script)
    return script
  }
  return async (messages: readonly OutboundMessage[]): Promise<PublishOutcome[]> => {
    if (messages.length === 0) return []
    if (messages.length > BATCH_MAX) throw new TypeError(`at most ${BATCH_MAX} messages per batch`)
    const subjects = [...new Set(messages.map((message) => message.subject))]
    try {
      const keys = [...subjects.map(streamKey), EPOCH_KEY]
      const reply = await scriptFor(keys.length).run(
        keys,
        scriptArguments(messages, subjects, options),
      )
      const [failures, trimmed] = Array.isArray(reply) ? reply : []
      for (const [index, count] of pairs(trimmed)) {
        onTrimmed({ subject: subjects[Number(index)] ?? '', count: Number(count) })
      }
      return readOutcomes(failures, messages.length)
    } catch (error) {
      const outcome = failed(error instanceof Error ? error.message : String(error), true)
      return messages.map(() => outcome)
    }
  }
}

function scriptArguments(
  messages: readonly OutboundMessage[],
  subjects: readonly string[],
  { maxLength, expectedEpoch }: StreamPublisherOptions,
): string[] {
  const positions = new Map(subjects.map((subject, index) => [subject, String(index + 1)]))
  const limits = [String(maxLength), String(UNREAD_RETENTION_MS), expectedEpoch()]
  const args = [...limits, STREAM_PREFIX, LEASE_PREFIX]
  for (const message of messages) {
    args.push(
      positions.get(message.subject) ?? '1',
      message.orderingKey,
      message.eventId,
      message.body,
      JSON.stringify(message.attributes),
    )
  }
  return args
}

function readOutcomes(failures: unknown, count: number): PublishOutcome[] {
  const outcomes = Array.from({ length: count }, () => PUBLISHED)
  for (const [index, reason] of pairs(failures)) {
    outcomes[Number(index)] = failed(String(reason), false)
  }
  return outcomes
}

function pairs(flat: unknown): [unknown, unknown][] {
  const values: unknown[] = Array.isArray(flat) ? flat : []
  return values.flatMap((value, at): [unknown, unknown][] =>
    at % 2 === 0 ? [[value, values[at + 1]]] : [],
  )
}

function failed(reason: string, unavailable: boolean): PublishOutcome {
  const kind = unavailable || UNAVAILABLE.test(reason) ? 'unavailable' : 'rejected'
  return { ok: false, kind, reason }
}
