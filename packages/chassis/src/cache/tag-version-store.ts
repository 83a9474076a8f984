import { randomUUID } from 'node:crypto'
import {
  channelOf,
  createSubscriber,
  defineScript,
  type KeyPrefix,
  type Redis,
} from '../redis/index.ts'

interface TagSnapshot {
  /** Random, created when the instance is first used: a new value means that it lost its data. */
  epoch: string
  changes: number
  versions: number[]
}

export interface TagChange {
  tag: string
  version: number
  changes: number
}

interface TagListener {
  onChange: (change: TagChange) => void
  onReconnect: () => void
}

/** Tag versions on the instance that evicts nothing (D21). All keys share one hash tag. */
export interface TagVersionStore {
  read(tags: readonly string[]): Promise<TagSnapshot>
  bump(tag: string): Promise<TagChange>
  /** Makes the stored version at least the given one. */
  raise(tag: string, version: number): Promise<void>
  subscribe(listener: TagListener): () => void
}

/**
 * A version is the server's time in microseconds and strictly increases, so late, repeated and
 * reordered messages are harmless.
 */
const BUMP = `
local old = tonumber(redis.call('GET', KEYS[1]) or '0')
local version = tonumber(ARGV[1])
if version == 0 then
  local time = redis.call('TIME')
  version = math.max(time[1] * 1000000 + time[2], old + 1)
elseif version <= old then
  return {tostring(old), 0}
end
version = string.format('%.0f', version)
redis.call('SET', KEYS[1], version, 'PX', ARGV[2])
local changes = redis.call('INCR', KEYS[2])
redis.call('PUBLISH', ARGV[3], changes .. ' ' .. version .. ' ' .. ARGV[4])
return {version, changes}
`

export interface TagVersionStoreOptions {
  redis: Redis
  prefix: KeyPrefix
  ttlMs: number
}

export function createTagVersionStore(options: TagVersionStoreOptions): TagVersionStore {
  const { redis, prefix, ttlMs } = options
  const keys = tagKeys(prefix)
  const script = defineScript(redis, { name: 'cache-tag-bump', lua: BUMP, numberOfKeys: 2 })
  const channelName = channelOf(redis, prefix, 'changed')
  const run = (tag: string, atLeast: number) =>
    script.run([keys.tag(tag), keys.changes], [atLeast, ttlMs, channelName, tag])
  return {
    read: (tags) => readTags(redis, keys, tags),
    async bump(tag) {
      const [version, changes] = toNumbers(await run(tag, 0))
      return { tag, version: version ?? 0, changes: changes ?? 0 }
    },
    async raise(tag, version) {
      await run(tag, version)
    },
    subscribe({ onChange, onReconnect }) {
      const onMessage = (message: string) => {
        const change = parseChange(message)
        if (change !== null) onChange(change)
      }
      const pending = createSubscriber(redis).subscribe(channelName, { onMessage, onReconnect })
      const settled = pending.catch(() => null)
      return () => void settled.then((subscription) => subscription?.unsubscribe())
    },
  }
}

async function readTags(
  redis: Redis,
  keys: TagKeys,
  tags: readonly string[],
): Promise<TagSnapshot> {
  const all = [keys.epoch, keys.changes, ...tags.map(keys.tag)]
  const [epoch, changes, ...versions] = await redis.mget(all)
  const known = epoch ?? (await createEpoch(redis, keys.epoch))
  return { epoch: known, changes: Number(changes ?? 0), versions: versions.map((v) => Number(v)) }
}

async function createEpoch(redis: Redis, key: string): Promise<string> {
  const proposal = randomUUID()
  const earlier = await redis.call('SET', key, proposal, 'NX', 'GET')
  return typeof earlier === 'string' ? earlier : proposal
}

type TagKeys = ReturnType<typeof tagKeys>

/** A tag never begins with `@`. */
function tagKeys(prefix: KeyPrefix) {
  const all = `${prefix}{tags}`
  return {
    epoch: `${all}@epoch`,
    changes: `${all}@changes`,
    tag: (tag: string) => `${all}:${tag}`,
  }
}

function parseChange(message: string): TagChange | null {
  const [changes, version, ...tag] = message.split(' ')
  const change = { tag: tag.join(' '), version: Number(version), changes: Number(changes) }
  return Number.isFinite(change.version) && change.tag !== '' ? change : null
}

function toNumbers(reply: unknown): number[] {
  return Array.isArray(reply) ? reply.map(Number) : []
}
