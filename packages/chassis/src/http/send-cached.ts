import type { IncomingMessage } from 'node:http'
import type { FastifyReply } from 'fastify'
import type { CachedBytes, SentBytes } from '../cache/index.ts'
import { compress, type Encoding, encodingsFor } from './negotiation.ts'
import { type Head, headSoFar, type RenderedResponse, writeResponse } from './write-response.ts'

export interface SendCachedOptions {
  cacheControl?: string
  /** Request headers besides Accept-Encoding that select this entry. */
  vary?: string
  /** The entry these bytes were derived from: the client sees its state and age. */
  servedFor?: Pick<CachedBytes, 'state' | 'ageMs'>
}

const X_CACHE = { hit: 'HIT', stale: 'STALE', miss: 'MISS', bypass: 'BYPASS' } as const

/** Sends bytes as they are: without serialisation, compression or hashing. */
export function sendCached(
  reply: FastifyReply,
  hit: SentBytes,
  options: SendCachedOptions = {},
): void {
  const { raw, state } = reply.request
  const encodings = state?.encodings ?? encodingsFor(raw.headers)
  const request = { raw, head: headSoFar(reply), encodings }
  writeResponse(reply, cachedResponse(request, hit, options))
}

export interface CachedRequest {
  readonly raw: IncomingMessage
  /** The headers that belong to the request. */
  readonly head: Head
  readonly encodings: readonly Encoding[]
}

/** The response to a request whose bytes are cached. Adds to the list of headers. */
export function cachedResponse(
  request: CachedRequest,
  hit: SentBytes,
  options: SendCachedOptions,
): RenderedResponse {
  const { head } = request
  addEntryHeaders(head, hit, options)
  if (isUnchanged(request.raw, hit)) return { status: 304, head }
  const { encoding, bytes } = encodedBytes(request.encodings, hit)
  head.push('content-type', hit.headers['content-type'] ?? 'application/json')
  if (encoding !== 'identity') head.push('content-encoding', encoding)
  head.push('content-length', String(bytes.length))
  return { status: hit.status, head, bytes }
}

/** Only GET and HEAD have 304 (RFC 9110 §13.1.2); a search is sent by POST. */
function isUnchanged({ method, headers }: IncomingMessage, hit: SentBytes): boolean {
  const condition = headers['if-none-match']
  if (condition === undefined || hit.status !== 200) return false
  return (method === 'GET' || method === 'HEAD') && matchesEtag(condition, hit.etag)
}

function addEntryHeaders(head: Head, hit: SentBytes, options: SendCachedOptions): void {
  const { headers, etag } = hit
  for (const name in headers) {
    if (name !== 'content-type') head.push(name, headers[name] ?? '')
  }
  const { state, ageMs } = options.servedFor ?? hit
  head.push('etag', etag, 'x-cache', X_CACHE[state], 'age', String(Math.floor(ageMs / 1000)))
  head.push('vary', varyOf(options.vary))
  if (options.cacheControl !== undefined) head.push('cache-control', options.cacheControl)
}

function varyOf(vary: string | undefined): string {
  return vary === undefined ? 'Accept-Encoding' : `${vary}, Accept-Encoding`
}

interface EncodedBytes {
  readonly encoding: Encoding
  readonly bytes: Buffer
}

/** The client's most preferred encoding among those that the entry has. */
function encodedBytes(encodings: readonly Encoding[], hit: SentBytes): EncodedBytes {
  for (const encoding of encodings) {
    const bytes = bytesOf(hit, encoding)
    if (bytes !== undefined) return { encoding, bytes }
  }
  const [encoding = 'identity'] = encodings
  return { encoding, bytes: compress(encoding, hit.body) }
}

/** An entry that is sent compressed gets a smaller form for the next time. */
function bytesOf(hit: SentBytes, encoding: Encoding): Buffer | undefined {
  if (encoding === 'identity') return hit.body
  if (encoding === 'gzip') return hit.gzip
  const bytes = hit.brotli
  if (bytes !== undefined) hit.wantBrotli()
  return bytes
}

/** Weak comparison (RFC 9110 §13.1.2). */
export function matchesEtag(condition: string, etag: string): boolean {
  if (condition === etag || condition === '*') return true
  const opaque = withoutWeakness(etag)
  return condition.split(',').some((candidate) => withoutWeakness(candidate.trim()) === opaque)
}

function withoutWeakness(tag: string): string {
  return tag.startsWith('W/') ? tag.slice(2) : tag
}
