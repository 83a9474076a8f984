import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import type { FastifyContextConfig } from 'fastify'
import { LRUCache } from 'lru-cache'
import { BODIES_MAX, TEXT_LENGTH_MAX, validatedBody } from '../json-bodies.ts'

/** As browsers send it. Any other type is checked by the parser. */
const JSON_TYPES: ReadonlySet<string> = new Set([
  'application/json',
  'application/json;charset=utf-8',
  'application/json; charset=utf-8',
  'application/json;charset=UTF-8',
  'application/json; charset=UTF-8',
])

/** Whether the whole body has arrived and is one that a route may have cached. */
export function mayBeKnown({ headers, readableLength }: IncomingMessage): boolean {
  if (readableLength === 0 || readableLength > TEXT_LENGTH_MAX) return false
  if (headers['content-length'] !== String(readableLength)) return false
  return JSON_TYPES.has(headers['content-type'] ?? '')
}

/** The bodies that a route has parsed and validated, by their bytes. */
export class KnownBodies {
  /** The bytes as Latin-1, which distinguishes all of them. */
  readonly #bodies = new LRUCache<string, object>({ max: BODIES_MAX })

  find(bytes: Buffer, config: FastifyContextConfig): object | undefined {
    const key = bytes.toString('latin1')
    return this.#bodies.get(key) ?? this.#adopt(key, bytes, config)
  }

  #adopt(key: string, bytes: Buffer, config: FastifyContextConfig): object | undefined {
    const body = isUtf8(bytes) ? validatedBody(config, bytes.toString()) : undefined
    if (body !== undefined) this.#bodies.set(key, body)
    return body
  }
}
