import { hash } from 'node:crypto'
import type { DimensionValue } from './cache-policy.ts'

const PLAIN_KEY_LENGTH_MAX = 1_024

/** The in-process key; the Redis key is derived from it only when Redis is used. */
export type CacheKey = string

export interface KeyBuilder {
  build(dims: Readonly<Record<string, DimensionValue>>, versionKey: string): CacheKey
}

/**
 * A key holds the cache's name, every declared dimension and the versions of the entry's tags.
 * Each part carries its type and length, so different inputs always have different keys (SF-09).
 */
export function createKeyBuilder(name: string, dimensions: readonly string[]): KeyBuilder {
  if (new Set(dimensions).size !== dimensions.length) {
    throw new TypeError(`cache ${name} declares a dimension twice`)
  }
  return {
    build(dims, versionKey) {
      let key = name
      for (const dimension of dimensions) key += encodePart(name, dimension, dims[dimension])
      rejectUnknown(name, dimensions, dims)
      key += `|${versionKey}`
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

function rejectUnknown(cache: string, declared: readonly string[], dims: object): void {
  for (const name in dims) {
    if (!declared.includes(name)) throw new TypeError(`cache ${cache} has no dimension ${name}`)
  }
}

/** Identifies an entry in Redis keys and wake-up messages. */
export function entryId(key: CacheKey): string {
  return hash('sha256', key, 'base64url')
}
