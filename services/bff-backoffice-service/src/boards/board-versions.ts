import { defineScript, hashedPart, type KeySpace, type Redis } from '@melmastoon/chassis/redis'
import { LRUCache } from 'lru-cache'
import type { BoardContent, RowHashes } from './board-content.ts'
import type { BoardKey } from './board-key.ts'

/** The versions of boards that devices may still have. */
export interface BoardVersions {
  /** Never rejects: without it, a device gets the whole board. */
  remember(key: BoardKey, content: BoardContent): Promise<void>
  find(key: BoardKey, version: string): Promise<RowHashes | undefined>
}

const VERSIONS_MAX = 8
const TTL_SECONDS = 5 * 60
/** In this process; an entry of a board with 200 rows takes about 20 KiB. */
const MEMORY_MAX = 500

/** One hash per board: version → row hashes, and the order in which they came. */
const REMEMBER_LUA = `
if redis.call('HSET', KEYS[1], ARGV[1], ARGV[2]) == 1 then
  local order = redis.call('HGET', KEYS[1], 'order') or ''
  order = order .. ARGV[1] .. ' '
  local versions = {}
  for version in string.gmatch(order, '%S+') do table.insert(versions, version) end
  while #versions > tonumber(ARGV[3]) do
    redis.call('HDEL', KEYS[1], table.remove(versions, 1))
  end
  redis.call('HSET', KEYS[1], 'order', table.concat(versions, ' ') .. ' ')
end
redis.call('EXPIRE', KEYS[1], ARGV[4])
return 1`

export interface BoardVersionsOptions {
  /** The evicting instance: losing a version costs one full response. */
  readonly redis: Redis
  readonly keys: KeySpace
  readonly onError: (error: unknown) => void
}

export function createBoardVersions({ redis, keys, onError }: BoardVersionsOptions): BoardVersions {
  const prefix = keys.prefix('board-versions')
  const memory = new LRUCache<string, RowHashes>({ max: MEMORY_MAX, ttl: TTL_SECONDS * 1_000 })
  const script = defineScript(redis, {
    name: 'board-versions-remember',
    lua: REMEMBER_LUA,
    numberOfKeys: 1,
  })
  return {
    async remember(key, { version, hashes }) {
      const name = nameOf(key)
      if (memory.has(`${name} ${version}`)) return
      memory.set(`${name} ${version}`, hashes)
      const args = [version, JSON.stringify([...hashes]), VERSIONS_MAX, TTL_SECONDS]
      await script.run([prefix + name], args).catch(onError)
    },
    async find(key, version) {
      const name = nameOf(key)
      const known = memory.get(`${name} ${version}`)
      if (known !== undefined) return known
      const stored = await redis.hget(prefix + name, version).catch((error: unknown) => {
        onError(error)
        return null
      })
      return stored === null ? undefined : new Map(JSON.parse(stored) as [string, string][])
    },
  }
}

function nameOf({ tenantId, propertyId, board, date, audience }: BoardKey): string {
  return hashedPart(JSON.stringify([tenantId, propertyId, board, date, audience]))
}
