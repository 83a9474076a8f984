import { LRUCache } from 'lru-cache'
import type { StoredPayload } from './stored-response.ts'

/** The three things asked of Redis here; an ioredis connection has them. */
export interface ReplayRedis {
  readonly status: string
  get(key: string): Promise<string | null>
  set(key: string, value: string, unit: 'PX', ttlMs: number): Promise<unknown>
}

export interface CompletedRecord {
  readonly requestHash: string
  readonly hashVersion: number
  readonly status: number
  readonly payload: StoredPayload
}

/**
 * A copy of completed responses, never the authority (D8): a completed row does not change until it
 * expires, and no copy outlives it. Anything that goes wrong here is a miss.
 */
export interface ReplayShortcut {
  find(digest: string): Promise<CompletedRecord | null>
  keep(digest: string, record: CompletedRecord, remainingMs: number): void
}

export interface ReplayShortcutOptions {
  readonly redis: ReplayRedis
  readonly onError: (error: unknown) => void
  readonly ttlMs?: number
  readonly bytesMax?: number
  readonly waitMs?: number
}

const TTL_MS = 10 * 60_000
const BYTES_MAX = 32 * 1024
const WAIT_MS = 50
const SEEN_MAX = 20_000

/**
 * Most requests are never repeated, so the first one pays nothing: a response is kept when it is
 * replayed for the first time, and only keys that this process has met before are looked up.
 */
export function createReplayShortcut(options: ReplayShortcutOptions): ReplayShortcut {
  const { redis, onError, ttlMs = TTL_MS, bytesMax = BYTES_MAX, waitMs = WAIT_MS } = options
  const seen = new LRUCache<string, true>({ max: SEEN_MAX })
  return {
    async find(digest) {
      if (!seen.has(digest)) {
        seen.set(digest, true)
        return null
      }
      if (redis.status !== 'ready') return null
      try {
        return parseRecord(await withinTime(redis.get(keyOf(digest)), waitMs))
      } catch (error) {
        onError(error)
        return null
      }
    },
    keep(digest, record, remainingMs) {
      const lifeMs = Math.floor(Math.min(ttlMs, remainingMs))
      const text = JSON.stringify(record)
      if (redis.status !== 'ready' || lifeMs < 1 || text.length > bytesMax) return
      redis.set(keyOf(digest), text, 'PX', lifeMs).catch(onError)
    },
  }
}

function keyOf(digest: string): string {
  return `idem:${digest}`
}

async function withinTime(answer: Promise<string | null>, waitMs: number): Promise<string | null> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, waitMs, null)
  })
  answer.catch(() => undefined)
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}

function parseRecord(text: string | null): CompletedRecord | null {
  if (text === null) return null
  const record = JSON.parse(text) as Partial<CompletedRecord>
  const { requestHash, hashVersion, status, payload } = record
  if (requestHash === undefined || hashVersion === undefined) return null
  if (status === undefined || typeof payload?.body !== 'string') return null
  return { requestHash, hashVersion, status, payload }
}
