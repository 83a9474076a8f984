import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { isAlive } from '../process-identity.ts'

export interface RedisRecord {
  readonly pid: number
  readonly port: number
}

/**
 * Written as soon as the process exists: two Redis servers on one append-only file would corrupt
 * it.
 */
export function writeRedisRecord(folder: string, record: RedisRecord): void {
  writeFileSync(recordPath(folder), JSON.stringify(record))
}

export async function findLiveRedis(folder: string): Promise<RedisRecord | null> {
  const record = readRedisRecord(folder)
  if (record === null) return null
  if (isAlive(record.pid) && (await isRedisReady(record))) return record
  rmSync(recordPath(folder), { force: true })
  return null
}

/** A recorded pid may have been reused: only Redis itself can confirm its identity. */
export async function isRedisReady(record: RedisRecord): Promise<boolean> {
  const redis = new Redis({
    host: '127.0.0.1',
    port: record.port,
    lazyConnect: true,
    connectTimeout: 2_000,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  })
  redis.on('error', () => undefined)
  try {
    await redis.connect()
    return new RegExp(`^process_id:${record.pid}\\r?$`, 'm').test(await redis.info('server'))
  } catch {
    return false
  } finally {
    redis.disconnect()
  }
}

function readRedisRecord(folder: string): RedisRecord | null {
  try {
    const record: unknown = JSON.parse(readFileSync(recordPath(folder), 'utf8'))
    if (typeof record !== 'object' || record === null) return null
    if (!('pid' in record) || !('port' in record)) return null
    return { pid: Number(record.pid), port: Number(record.port) }
  } catch {
    return null
  }
}

function recordPath(folder: string): string {
  return join(folder, 'redis.json')
}
