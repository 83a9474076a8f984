import { defineScript, type Redis } from '../redis/index.ts'
import { deadStreamKey, streamKey } from './stream-keys.ts'

export interface StreamEntry {
  id: string
  fields: Record<string, string>
}

/** Kept dead letters of one subscription; the oldest go first. */
const DEAD_LENGTH = 100_000
/** More pending entries than this of one consumer are read in several rounds. */
const RECOVERY_COUNT = 100

const BURY_LUA = `
redis.call('XADD', KEYS[2], 'MAXLEN', '~', ARGV[3], '*', unpack(ARGV, 4))
return redis.call('XACK', KEYS[1], ARGV[1], ARGV[2])
`

/** The commands of one consumer in one consumer group, and nothing about when to use them. */
export function createStreamGroup(redis: Redis, group: string, consumer: string) {
  const bury = defineScript(redis, { name: 'bus-bury', lua: BURY_LUA, numberOfKeys: 2 })
  return {
    /** From the beginning of the stream, so that what was published before us is not lost. */
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
    /** Dead letter and acknowledgement in one step: neither is ever seen without the other. */
    async bury(subject: string, entry: StreamEntry, reason: string): Promise<void> {
      const fields = { ...entry.fields, subject, reason, id: entry.id }
      const keys = [streamKey(subject), deadStreamKey(group)]
      await bury.run(keys, [group, entry.id, DEAD_LENGTH, ...Object.entries(fields).flat()])
    },
    /** Takes over what any consumer left unacknowledged, oldest first. */
    async claimPending(subject: string, from: string) {
      const args = [streamKey(subject), group, consumer, 0, from, 'COUNT', RECOVERY_COUNT]
      const reply = await redis.call('XAUTOCLAIM', args)
      const [next, entries] = Array.isArray(reply) ? reply : ['0-0', []]
      return { next: String(next), entries: readEntries(entries) }
    },
    async deliveryCounts(subject: string, entries: readonly StreamEntry[]) {
      const first = entries[0]?.id ?? '-'
      const last = entries.at(-1)?.id ?? '+'
      const args = [streamKey(subject), group, first, last, RECOVERY_COUNT * 10, consumer]
      const reply = await redis.call('XPENDING', args)
      const rows: unknown[] = Array.isArray(reply) ? reply : []
      return new Map(
        rows.map((row) => (Array.isArray(row) ? [String(row[0]), Number(row[3])] : ['', 1])),
      )
    },
    /** Consumers without pending messages are only names; an active one is made again by its next read. */
    async forgetIdleConsumers(subject: string): Promise<void> {
      const reply = await redis.call('XINFO', ['CONSUMERS', streamKey(subject), group])
      for (const row of Array.isArray(reply) ? reply : []) {
        const info = readFields(row)
        if (info['pending'] !== '0' || info['name'] === consumer) continue
        await redis.xgroup('DELCONSUMER', streamKey(subject), group, info['name'] ?? '')
      }
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

function readFields(flat: unknown): Record<string, string> {
  const fields: Record<string, string> = {}
  if (!Array.isArray(flat)) return fields
  for (let i = 0; i + 1 < flat.length; i += 2) fields[String(flat[i])] = String(flat[i + 1])
  return fields
}
