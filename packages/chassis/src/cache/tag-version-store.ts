import { randomUUID } from 'node:crypto'
import { channel, createSubscriber, defineScript, type Redis } from '../redis/index.ts'

interface TagSnapshot {
  /** Random, made when the instance is first used: another one means that it lost its data. */
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

const EPOCH_KEY = 'cachever:{tags}@epoch'
const CHANGES_KEY = 'cachever:{tags}@changes'

/**
 * A version is the server's time in microseconds, and always more than the one before. It only
 * grows, so late and repeated messages do no harm, whichever order they come in.
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

export function createTagVersionStore(redis: Redis, ttlMs: number): TagVersionStore {
  const script = defineScript(redis, { name: 'cache-tag-bump', lua: BUMP, numberOfKeys: 2 })
  const channelName = channel(redis, 'cache-tags')
  const run = (tag: string, atLeast: number) =>
    script.run([tagKey(tag), CHANGES_KEY], [atLeast, ttlMs, channelName, tag])
  return {
    read: (tags) => readTags(redis, tags),
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

async function readTags(redis: Redis, tags: readonly string[]): Promise<TagSnapshot> {
  const keys = [EPOCH_KEY, CHANGES_KEY, ...tags.map(tagKey)]
  const [epoch, changes, ...versions] = await redis.mget(keys)
  const known = epoch ?? (await createEpoch(redis))
  return { epoch: known, changes: Number(changes ?? 0), versions: versions.map((v) => Number(v)) }
}

async function createEpoch(redis: Redis): Promise<string> {
  const proposal = randomUUID()
  const earlier = await redis.call('SET', EPOCH_KEY, proposal, 'NX', 'GET')
  return typeof earlier === 'string' ? earlier : proposal
}

function tagKey(tag: string): string {
  return `cachever:{tags}:${tag}`
}

function parseChange(message: string): TagChange | null {
  const [changes, version, ...tag] = message.split(' ')
  const change = { tag: tag.join(' '), version: Number(version), changes: Number(changes) }
  return Number.isFinite(change.version) && change.tag !== '' ? change : null
}

function toNumbers(reply: unknown): number[] {
  return Array.isArray(reply) ? reply.map(Number) : []
}
