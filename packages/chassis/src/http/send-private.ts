import type { FastifyReply } from 'fastify'
import { compress, encodingsFor } from './negotiation.ts'
import { type Head, headSoFar, writeResponse } from './write-response.ts'

/** For data of one guest: no cache stores it. */
export const PRIVATE_HEADERS = { 'cache-control': 'private, no-store' } as const

/**
 * Sends JSON, as text or as bytes, that only this client may store: plain unless the client rejects
 * that.
 */
export function sendPrivateJson(
  reply: FastifyReply,
  json: string | Buffer,
  cacheControl: `private, ${string}` = PRIVATE_HEADERS['cache-control'],
): void {
  const head = headSoFar(reply)
  const encodings = reply.request.state?.encodings ?? encodingsFor(reply.request.raw.headers)
  const [best = 'identity'] = encodings.includes('identity') ? [] : encodings
  const bytes = best === 'identity' ? bytesOf(json) : compress(best, json)
  if (best !== 'identity') head.push('content-encoding', best, 'vary', 'Accept-Encoding')
  addPrivateHeaders(head, bytes.length, cacheControl)
  writeResponse(reply, { status: reply.statusCode, head, bytes })
}

/** To a list of names and values. */
export function addPrivateHeaders(
  head: Head,
  length: number,
  cacheControl: string = PRIVATE_HEADERS['cache-control'],
): void {
  head.push('cache-control', cacheControl)
  head.push('content-type', 'application/json; charset=utf-8')
  head.push('content-length', String(length))
}

function bytesOf(json: string | Buffer): Buffer {
  return typeof json === 'string' ? Buffer.from(json) : json
}
