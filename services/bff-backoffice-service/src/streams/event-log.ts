import { randomBytes } from 'node:crypto'
import { channelOf, defineScript, type KeySpace, type Redis } from '@melmastoon/chassis/redis'
import { problem, type TenantId } from '@melmastoon/domain'
import type { LogBounds } from './position.ts'
import type { LoggedEvent, StreamEvent } from './stream-event.ts'

/** A part of the log, and its bounds at the same moment. */
export interface LogPage extends LogBounds {
  readonly events: readonly LoggedEvent[]
}

/** The last events of each tenant. Rejects with DEPENDENCY_UNAVAILABLE while Redis is away. */
export interface EventLog {
  /** In order, and announced to all processes that have streams of the tenant. */
  append(tenantId: TenantId, events: readonly StreamEvent[]): Promise<void>
  /** The events after `seq`, of the current epoch. */
  read(tenantId: TenantId, after: number, limit: number): Promise<LogPage>
  /** Pub/sub: a message is the position of the last event, or the device of a claimed stream. */
  channel(tenantId: TenantId): string
}

const ENTRIES_MAX = 2_000
const AGE_MAX_MS = 15 * 60_000
/** Epoch and number outlive the events: a device that missed nothing resumes without a gap. */
const HEAD_MS = 24 * 3_600_000
const TRIM_PER_APPEND = 100
const EVENT_CHARS_MAX = 4_096

/**
 * The epoch changes with the data set: when the head is missing, and when the server restarted or a
 * replica took over, which may have lost events whose numbers would be used again.
 */
const HEAD_LUA = `
local run = string.match(redis.call('INFO', 'server'), 'run_id:(%w+)') or ''
local head = redis.call('HMGET', KEYS[2], 'epoch', 'seq', 'run')
if not head[1] or head[3] ~= run then
  redis.call('DEL', KEYS[1], KEYS[2])
  redis.call('HSET', KEYS[2], 'epoch', ARGV[1], 'seq', 0, 'run', run)
  head = {ARGV[1], '0'}
end
redis.call('PEXPIRE', KEYS[2], ${HEAD_MS})
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`

/** Entries have the ids 1-0, 2-0, …; the age of an entry is one of its fields. */
const APPEND_LUA = `${HEAD_LUA}
local seq = tonumber(head[2])
for at = 4, #ARGV do
  seq = seq + 1
  redis.call('XADD', KEYS[1], seq .. '-0', 't', now, 'e', ARGV[at])
end
redis.call('HSET', KEYS[2], 'seq', seq)
redis.call('XTRIM', KEYS[1], 'MAXLEN', ${ENTRIES_MAX})
local old = 0
for _, entry in ipairs(redis.call('XRANGE', KEYS[1], '-', '+', 'COUNT', ${TRIM_PER_APPEND})) do
  if tonumber(entry[2][2]) > now - ${AGE_MAX_MS} then break end
  old = tonumber(string.match(entry[1], '%d+'))
end
if old > 0 then redis.call('XTRIM', KEYS[1], 'MINID', (old + 1) .. '-0') end
redis.call('PEXPIRE', KEYS[1], ${AGE_MAX_MS})
if ARGV[3] == '1' then redis.call('PUBLISH', ARGV[2], 'event ' .. head[1] .. '.' .. seq) end
return seq`

const READ_LUA = `${HEAD_LUA}
local oldest = redis.call('XRANGE', KEYS[1], '-', '+', 'COUNT', 1)
local first = oldest[1] and oldest[1][1] or ((head[2] + 1) .. '-0')
local entries = redis.call('XRANGE', KEYS[1], '(' .. ARGV[2] .. '-0', '+', 'COUNT', ARGV[3])
return {head[1], head[2], first, entries}`

type RawEntry = readonly [id: string, fields: readonly string[]]
type RawPage = readonly [
  epoch: string,
  newest: string,
  oldest: string,
  /** Null when none was asked for. */
  entries: readonly RawEntry[] | null,
]

export interface EventLogOptions {
  /** The instance that evicts nothing. */
  readonly redis: Redis
  readonly keys: KeySpace
  /** False for a negative control: other processes are not notified. */
  readonly announces: boolean
}

export function createEventLog({ redis, keys, announces }: EventLogOptions): EventLog {
  const prefix = keys.prefix('stream-log')
  const append = defineScript(redis, { name: 'stream-append', lua: APPEND_LUA, numberOfKeys: 2 })
  const read = defineScript(redis, { name: 'stream-read', lua: READ_LUA, numberOfKeys: 2 })
  const namesOf = (id: TenantId) => [`${prefix}{${id}}:events`, `${prefix}{${id}}:head`]
  const channel = (id: TenantId) => channelOf(redis, prefix, id)
  return {
    async append(tenantId, events) {
      const bodies = events.map(toBody)
      const args = [newEpoch(), channel(tenantId), announces ? 1 : 0, ...bodies]
      await append.run(namesOf(tenantId), args).catch(unavailable)
    },
    async read(tenantId, after, limit) {
      const reply = await read.run(namesOf(tenantId), [newEpoch(), after, limit]).catch(unavailable)
      return toPage(reply as RawPage)
    },
    channel,
  }
}

/** @throws TypeError: the log of a tenant is bounded by the size of its events, too */
function toBody(event: StreamEvent): string {
  const body = JSON.stringify(event)
  if (body.length > EVENT_CHARS_MAX) throw new TypeError(`an event of ${event.channel} is too long`)
  return body
}

const newEpoch = () => randomBytes(9).toString('base64url')

function toPage([epoch, newest, oldest, entries]: RawPage): LogPage {
  return {
    epoch,
    newest: Number(newest),
    oldest: Number.parseInt(oldest, 10),
    events: (entries ?? []).map(([id, fields]) => ({
      ...(JSON.parse(fields[3] ?? '') as StreamEvent),
      position: { epoch, seq: Number.parseInt(id, 10) },
    })),
  }
}

function unavailable(cause: unknown): never {
  throw problem('MELMASTOON.GENERAL.DEPENDENCY_UNAVAILABLE', { cause })
}
