import type { FastifyReply } from 'fastify'
import type { CachedBytes } from '../cache/index.ts'

export interface SendCachedOptions {
  cacheControl?: string
  /** Request headers besides Accept-Encoding that chose this entry. */
  vary?: string
  /** The entry these bytes were derived from: its state and age are what the client is told. */
  servedFor?: Pick<CachedBytes, 'state' | 'ageMs'>
}

type Encoding = 'br' | 'gzip' | 'identity'

interface Accepted {
  readonly br: boolean
  readonly gzip: boolean
}

const X_CACHE = { hit: 'HIT', stale: 'STALE', miss: 'MISS', bypass: 'BYPASS' } as const

/** Sends an entry's bytes as they are: no serialiser, no compression, nothing hashed. */
export function sendCached(
  reply: FastifyReply,
  hit: CachedBytes,
  options: SendCachedOptions = {},
): void {
  const { request } = reply
  const { etag, headers } = hit
  const { state, ageMs } = options.servedFor ?? hit
  for (const name in headers) reply.header(name, headers[name])
  reply.header('etag', etag)
  reply.header('x-cache', X_CACHE[state])
  reply.header('age', Math.floor(ageMs / 1000))
  reply.header('vary', varyOf(options.vary))
  if (options.cacheControl !== undefined) reply.header('cache-control', options.cacheControl)
  const condition = request.headers['if-none-match']
  if (condition !== undefined && hit.status === 200 && matchesEtag(condition, etag)) {
    reply.removeHeader('content-type')
    reply.code(304).send()
    return
  }
  const encoding = chooseEncoding(request.headers['accept-encoding'], hit)
  if (encoding !== 'identity') reply.header('content-encoding', encoding)
  reply.code(hit.status).send(bytesOf(hit, encoding))
}

function varyOf(vary: string | undefined): string {
  return vary === undefined ? 'Accept-Encoding' : `${vary}, Accept-Encoding`
}

function bytesOf(hit: CachedBytes, encoding: Encoding): Buffer {
  if (encoding === 'br') return hit.brotli ?? hit.body
  if (encoding === 'gzip') return hit.gzip ?? hit.body
  return hit.body
}

/** The smallest form there is; what is asked for again gets a smaller one for the next time. */
function chooseEncoding(header: string | string[] | undefined, hit: CachedBytes): Encoding {
  if (header === undefined || hit.gzip === undefined) return 'identity'
  const accepted = acceptedEncodings(String(header))
  if (accepted.br) {
    if (hit.brotli !== undefined) return 'br'
    hit.wantBrotli()
  }
  return accepted.gzip ? 'gzip' : 'identity'
}

/** Clients send few different values, so each is parsed once. At the bound we start afresh. */
const parsed = new Map<string, Accepted>()
const PARSED_MAX = 256
const HEADER_LENGTH_MAX = 256

export function acceptedEncodings(header: string): Accepted {
  const known = parsed.get(header)
  if (known !== undefined) return known
  const accepted = parseAcceptEncoding(header.slice(0, HEADER_LENGTH_MAX))
  if (header.length > HEADER_LENGTH_MAX) return accepted
  if (parsed.size >= PARSED_MAX) parsed.clear()
  parsed.set(header, accepted)
  return accepted
}

/** RFC 9110 §12.5.3: a coding with q=0 is refused, `*` stands for those not named. */
function parseAcceptEncoding(header: string): Accepted {
  const named = new Map<string, boolean>()
  for (const part of header.toLowerCase().split(',')) {
    const [coding = '', ...parameters] = part.split(';')
    const refused = parameters.some((parameter) => /^\s*q\s*=\s*0(?:\.0{0,3})?\s*$/.test(parameter))
    named.set(coding.trim(), !refused)
  }
  const others = named.get('*') ?? false
  return {
    br: named.get('br') ?? others,
    gzip: named.get('gzip') ?? named.get('x-gzip') ?? others,
  }
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
