import { hash } from 'node:crypto'
import type { DimensionValue } from './cache-policy.ts'

const PLAIN_KEY_LENGTH_MAX = 1_024

/** The in-process key; the Redis key is derived from it only when Redis is asked. */
export type CacheKey = string

export interface KeyBuilder {
  build(dims: Readonly<Record<string, DimensionValue>>, stamp: string): CacheKey
}

/**
 * A key holds the cache's name, every declared dimension and the versions of the entry's tags.
 * Each part carries its type and length, so no two different inputs run together (SF-09).
 */
export function createKeyBuilder(name: string, dimensions: readonly string[]): KeyBuilder {
  if (new Set(dimensions).size !== dimensions.length) {
    throw new TypeError(`cache ${name} declares a dimension twice`)
  }
  return {
    build(dims, stamp) {
      let key = name
      for (const dimension of dimensions) key += encodePart(name, dimension, dims[dimension])
      refuseUnknown(name, dimensions, dims)
      key += `|${stamp}`
      return key.length <= PLAIN_KEY_LENGTH_MAX
        ? key
        : `${name}#${hash('sha256', key, 'base64url')}`
    },
  }
}

function encodePart(cache: string, dimension: string, value: DimensionValue | undefined): string {
  if (typeof value === 'string') return `|s${value.length}:${value}`
  if (typeof value === 'boolean') return value ? '|t' : '|f'
  if (typeof value === 'number' && Number.isFinite(value)) return `|n${value}`
  throw new TypeError(`cache ${cache} needs the dimension ${dimension} to build a key`)
}

function refuseUnknown(cache: string, declared: readonly string[], dims: object): void {
  for (const name in dims) {
    if (!declared.includes(name)) throw new TypeError(`cache ${cache} has no dimension ${name}`)
  }
}

/** One slot on Redis Cluster for an entry and its lease: they share the hash tag (D21). */
export function redisKeys(key: CacheKey): { id: string; entry: string; lease: string } {
  const id = hash('sha256', key, 'base64url')
  return { id, entry: `cache:{${id}}`, lease: `cache:{${id}}:lease` }
}
