import { hash } from 'node:crypto'
import type { Redis } from 'ioredis'

declare const keyPrefix: unique symbol

/** Start of every key of one feature of one service. Only a key space makes one. */
export type KeyPrefix = string & { readonly [keyPrefix]: true }

/**
 * All services share two Redis instances (D21), so every key and channel starts with the name of
 * its service, and with the version of the value's format: a release that stores another format
 * raises the version and never reads values of an older release (D27).
 */
export interface KeySpace {
  /** `<service>:v<version>:<feature>:` */
  prefix(feature: string, version?: number): KeyPrefix
}

const NAME = /^[a-z][a-z0-9-]{0,39}$/

export function createKeySpace(service: string): KeySpace {
  if (!NAME.test(service)) throw new TypeError('the service name of a key must be kebab-case')
  return {
    prefix(feature, version = 1) {
      if (!NAME.test(feature)) throw new TypeError('the feature of a key must be kebab-case')
      return `${service}:v${version}:${feature}:` as KeyPrefix
    },
  }
}

/** Pub/sub ignores the logical database, so the number is part of every channel's name. */
export function channelOf(redis: Redis, prefix: KeyPrefix, name: string): string {
  return `${prefix}${name}@${redis.options.db ?? 0}`
}

const HASHED_LENGTH = 22

/** For parts of a key that are long or personal, such as addresses. 132 bits never collide. */
export function hashedPart(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, HASHED_LENGTH)
}
