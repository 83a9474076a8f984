import { LRUCache } from 'lru-cache'
import type { KeySpace } from '../redis/index.ts'
import type { Fingerprint } from './fingerprint.ts'
import type { IdempotencyStore } from './idempotency.ts'
import type { ExistingRow } from './idempotency-sql.ts'
import { isSealed, type Sealed } from './record-protection.ts'
import { hashAt, type StoredOutcome } from './stored-outcome.ts'
import { openResponse } from './stored-response.ts'

/** The part of an ioredis connection that is used here. */
export interface ReplayRedis {
  readonly status: string
  get(key: string): Promise<string | null>
  set(key: string, value: string, unit: 'PX', ttlMs: number): Promise<unknown>
}

export interface CompletedRecord {
  readonly requestHash: string
  readonly hashVersion: number
  readonly status: number
  readonly payload: Sealed
}

/**
 * A copy of completed responses, never the authority (D8): a completed row does not change until it
 * expires, and no copy outlives it. Anything that goes wrong here is a miss.
 */
export interface ReplayShortcut {
  find(key: string): Promise<CompletedRecord | null>
  store(key: string, record: CompletedRecord, remainingMs: number): void
}

export interface ReplayShortcutOptions {
  readonly redis: ReplayRedis
  readonly keys: KeySpace
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
 * Most requests are never repeated, so the first one costs nothing: a response is copied when it is
 * replayed for the first time, and only keys that this process has seen before are looked up.
 */
export function createReplayShortcut(options: ReplayShortcutOptions): ReplayShortcut {
  const { redis, onError, ttlMs = TTL_MS, bytesMax = BYTES_MAX, waitMs = WAIT_MS } = options
  const prefix = options.keys.prefix('replay', 2)
  const seen = new LRUCache<string, true>({ max: SEEN_MAX })
  return {
    async find(key) {
      if (!seen.has(key)) {
        seen.set(key, true)
        return null
      }
      if (redis.status !== 'ready') return null
      try {
        return parseRecord(await withinTime(redis.get(`${prefix}${key}`), waitMs))
      } catch (error) {
        onError(error)
        return null
      }
    },
    store(key, record, remainingMs) {
      const lifeMs = Math.floor(Math.min(ttlMs, remainingMs))
      const text = JSON.stringify(record)
      if (redis.status !== 'ready' || lifeMs < 1 || text.length > bytesMax) return
      redis.set(`${prefix}${key}`, text, 'PX', lifeMs).catch(onError)
    },
  }
}

export async function findInShortcut(
  { shortcut, records }: Pick<IdempotencyStore, 'shortcut' | 'records'>,
  key: string,
  request: Fingerprint,
): Promise<StoredOutcome | null> {
  const record = shortcut && (await shortcut.find(key))
  if (record === null) return null
  if (hashAt(records, { key, request }, record.hashVersion) !== record.requestHash) return null
  try {
    return { kind: 'replay', response: openResponse(records, key, record) }
  } catch {
    return null
  }
}

/** The encrypted response is copied as it is; one of an earlier release, in clear text, is not. */
export function storeInShortcut(
  shortcut: ReplayShortcut | null,
  key: string,
  row: ExistingRow,
): void {
  if (shortcut === null || row.status_code === null || !isSealed(row.response)) return
  const record = {
    requestHash: row.request_hash,
    hashVersion: row.hash_version,
    status: row.status_code,
    payload: row.response,
  }
  shortcut.store(key, record, row.remaining_ms)
}

async function withinTime(reply: Promise<string | null>, waitMs: number): Promise<string | null> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, waitMs, null)
  })
  reply.catch(() => undefined)
  try {
    return await Promise.race([reply, late])
  } finally {
    clearTimeout(timer)
  }
}

function parseRecord(text: string | null): CompletedRecord | null {
  if (text === null) return null
  const record = JSON.parse(text) as Partial<CompletedRecord>
  const { requestHash, hashVersion, status, payload } = record
  if (requestHash === undefined || hashVersion === undefined) return null
  if (status === undefined || !isSealed(payload)) return null
  return { requestHash, hashVersion, status, payload }
}
