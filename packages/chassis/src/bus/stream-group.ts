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

/**
 * For each stream: deletes what all groups have acknowledged, and consumers of this group without
 * pending messages. Atomic: between check and deletion a consumer could receive a message and lose
 * it. Returns the positions of the streams with messages that are unacknowledged for too long.
 */
const MAINTAIN_LUA = `${ACKNOWLEDGED_LUA}
local group, consumer, minIdleMs, forgetMs = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4])
local overdue = {}
for at, stream in ipairs(KEYS) do
  trimAcknowledged(stream, groupsOf(stream))
  for _, row in ipairs(redis.call('XINFO', 'CONSUMERS', stream, group)) do
    local info = {}
    for i = 1, #row, 2 do info[row[i]] = row[i + 1] end
    if info.pending == 0 and info.idle > forgetMs and info.name ~= consumer then
      redis.call('XGROUP', 'DELCONSUMER', stream, group, info.name)
    end
  end
  if #redis.call('XPENDING', stream, group, 'IDLE', minIdleMs, '-', '+', 1) > 0 then
    overdue[#overdue + 1] = at
  end
end
return overdue
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
  const maintain = defineScript(redis, {
    name: 'bus-maintain',
    lua: MAINTAIN_LUA,
    numberOfKeys: 'any',
  })
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
     * Deletes messages that all groups of the streams have acknowledged, and consumers that are
     * gone; the next read of an active one creates it again. Returns the subjects with messages
     * that are unacknowledged for `ackDeadlineMs`.
     */
    async maintain(subjects: readonly string[], ackDeadlineMs: number): Promise<string[]> {
      if (subjects.length === 0) return []
      const args = [group, consumer, ackDeadlineMs, ackDeadlineMs * 2]
      const reply = await maintain.run(subjects.map(streamKey), args)
      const overdue = new Set(Array.isArray(reply) ? reply.map(Number) : [])
      return subjects.filter((_, index) => overdue.has(index + 1))
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
