import type { Redis } from 'ioredis'

/** Pub/sub ignores the logical database, so the number is part of every channel's name. */
export function channel(redis: Redis, name: string): string {
  return `ch:${redis.options.db ?? 0}:${name}`
}
