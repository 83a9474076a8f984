import { defineScript, type Redis } from '../redis/index.ts'
import { deadStreamKey, streamKey } from './stream-keys.ts'
import { ACKNOWLEDGED_LUA } from './trim-lua.ts'

export interface StreamEntry {
  id: string
  fields: Record<string, string>
}

export interface PendingEntry extends StreamEntry {
  /** How often it was delivered before. */
  deliveries: number
}

/** Retained dead letters of one subject, about 1 MiB; the oldest are dropped first. */
const DEAD_LENGTH = 1_000
/** More pending entries than this are read in several rounds. */
const RECOVERY_COUNT = 100

const DEAD_LETTER_LUA = `
redis.call('XADD', KEYS[2], 'MAXLEN', '~', ARGV[3], '*', unpack(ARGV, 4))
return redis.call('XACK', KEYS[1], ARGV[1], ARGV[2])
`

/**
 * JUSTID, because a takeover is not a delivery: a message that waits behind others may be taken
 * over often. Entries and their counts are read atomically.
 */
const CLAIM_LUA = `
local stream, group, consumer = KEYS[1], ARGV[1], ARGV[2]
local reply = redis.call('XAUTOCLAIM', stream, group, consumer, ARGV[3], ARGV[4],
  'COUNT', ARGV[5], 'JUSTID')
local entries = {}
for _, id in ipairs(reply[2]) do
  local found = redis.call('XRANGE', stream, id, id)[1]
  local pending = redis.call('XPENDING', stream, group, id, id, 1)[1]
  if found and pending then entries[#entries + 1] = { id, pending[4], found[2] } end
end
return { reply[1], entries, reply[3] or {} }
`

/** Atomic: between check and deletion a consumer could receive a message and lose it. */
const FORGET_LUA = `
local gone = 0
for _, row in ipairs(redis.call('XINFO', 'CONSUMERS', KEYS[1], ARGV[1])) do
  local info = {}
  for i = 1, #row, 2 do info[row[i]] = row[i + 1] end
  if info.pending == 0 and info.idle > tonumber(ARGV[3]) and info.name ~= ARGV[2] then
    redis.call('XGROUP', 'DELCONSUMER', KEYS[1], ARGV[1], info.name)
    gone = gone + 1
  end
end
return gone
`

const TRIM_LUA = `${ACKNOWLEDGED_LUA}
return trimAcknowledged(KEYS[1], groupsOf(KEYS[1]))
`

export interface StreamGroupOptions {
  group: string
  consumer: string
  deadLetterName: (subject: string) => string
}

/** The commands of one consumer in one consumer group; the caller decides when to use them. */
export function createStreamGroup(redis: Redis, options: StreamGroupOptions) {
  const { group, consumer, deadLetterName } = options
  const script = (name: string, lua: string, numberOfKeys = 1) =>
    defineScript(redis, { name, lua, numberOfKeys })
  const deadLetter = script('bus-dead-letter', DEAD_LETTER_LUA, 2)
  const claim = script('bus-claim', CLAIM_LUA)
  const forget = script('bus-forget', FORGET_LUA)
  const trim = script('bus-trim', TRIM_LUA)
  return {
    /** Starts at the beginning of the stream, so that earlier messages are not lost. */
    async ensure(subject: string): Promise<void> {
      try {
        await redis.xgroup('CREATE', streamKey(subject), group, '0', 'MKSTREAM')
      } catch (error) {
        if (!(error instanceof Error && error.message.startsWith('BUSYGROUP'))) throw error
      }
    },
    async acknowledge(subject: string, id: string): Promise<void> {
      await redis.xack(streamKey(subject), group, id)
    },
    async recordDelivery(subject: string, { id, count }: { id: string; count: number }) {
      const args = [streamKey(subject), group, consumer, 0, id, 'RETRYCOUNT', count, 'JUSTID']
      await redis.call('XCLAIM', args)
    },
    /** Dead letter and acknowledgement are one atomic step. */
    async deadLetter(subject: string, entry: StreamEntry, reason: string): Promise<void> {
      const fields = { ...entry.fields, subject, reason, id: entry.id }
      const keys = [streamKey(subject), deadStreamKey(deadLetterName(subject))]
      await deadLetter.run(keys, [group, entry.id, DEAD_LENGTH, ...Object.entries(fields).flat()])
    },
    /** Takes over messages that were unacknowledged for `minIdleMs`, oldest first. */
    async claimPending(subject: string, { from, minIdleMs }: { from: string; minIdleMs: number }) {
      const args = [group, consumer, minIdleMs, from, RECOVERY_COUNT]
      const reply = await claim.run([streamKey(subject)], args)
      const [next, entries, lost] = Array.isArray(reply) ? reply : ['0-0', [], []]
      return { next: String(next), entries: readPending(entries), lost: readIds(lost) }
    },
    /**
     * Deletes consumers without pending messages; the next read of an active one creates it again.
     */
    async forgetIdleConsumers(subject: string, idleMs: number): Promise<void> {
      await forget.run([streamKey(subject)], [group, consumer, idleMs])
    },
    /** Deletes messages that all groups of the stream have acknowledged. */
    async trimAcknowledged(subject: string): Promise<void> {
      await trim.run([streamKey(subject)], [])
    },
  }
}

export type StreamGroup = ReturnType<typeof createStreamGroup>

export function readEntries(reply: unknown): StreamEntry[] {
  if (!Array.isArray(reply)) return []
  return reply.flatMap((row) =>
    Array.isArray(row) && Array.isArray(row[1])
      ? [{ id: String(row[0]), fields: readFields(row[1]) }]
      : [],
  )
}

function readPending(reply: unknown): PendingEntry[] {
  if (!Array.isArray(reply)) return []
  return reply.flatMap((row) =>
    Array.isArray(row)
      ? [{ id: String(row[0]), deliveries: Number(row[1]), fields: readFields(row[2]) }]
      : [],
  )
}

function readIds(reply: unknown): string[] {
  return Array.isArray(reply) ? reply.map(String) : []
}

function readFields(flat: unknown): Record<string, string> {
  const fields: Record<string, string> = {}
  if (!Array.isArray(flat)) return fields
  for (let i = 0; i + 1 < flat.length; i += 2) fields[String(flat[i])] = String(flat[i + 1])
  return fields
}
