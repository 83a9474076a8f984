import type { FastifyReply } from 'fastify'
import type { CachedBytes } from '../cache/index.ts'

export interface SendCachedOptions {
  cacheControl?: string
  /** Request headers besides Accept-Encoding that chose this entry. */
  vary?: string
  /** The entry these bytes were derived from: its state and age are what the client is told. */
  servedFor?: Pick<CachedBytes, 'state' | 'ageMs'>
}

type Head = (string | number | string[])[]
type Encoding = 'br' | 'gzip' | 'identity'

interface Accepted {
  readonly br: boolean
  readonly gzip: boolean
}

const X_CACHE = { hit: 'HIT', stale: 'STALE', miss: 'MISS', bypass: 'BYPASS' } as const

/**
 * Sends an entry's bytes as they are: no serialiser, no compression, nothing hashed. The head is
 * written in one go past Fastify's reply, whose way to send costs as much as all the rest here.
 */
export function sendCached(
  reply: FastifyReply,
  hit: CachedBytes,
  options: SendCachedOptions = {},
): void {
  const { headers: asked } = reply.request
  const condition = asked['if-none-match']
  if (condition !== undefined && hit.status === 200 && matchesEtag(condition, hit.etag)) {
    write(reply, { status: 304, head: headOf(reply, hit, options) })
    return
  }
  const encoding = chooseEncoding(asked['accept-encoding'], hit)
  const bytes = bytesOf(hit, encoding)
  const head = headOf(reply, hit, options)
  head.push('content-type', hit.headers['content-type'] ?? 'application/json')
  if (encoding !== 'identity') head.push('content-encoding', encoding)
  head.push('content-length', String(bytes.length))
  write(reply, { status: hit.status, head, bytes })
}

/** Names and values in turn: what was said so far, and what is true of this answer. */
function headOf(reply: FastifyReply, hit: CachedBytes, options: SendCachedOptions): Head {
  const head: Head = []
  const said = reply.getHeaders()
  for (const name in said) head.push(name, said[name] ?? '')
  const standard = reply.request.state?.head ?? []
  for (let at = 0; at < standard.length; at += 2) {
    const name = standard[at] ?? ''
    if (!(name in said)) head.push(name, standard[at + 1] ?? '')
  }
  const { headers, etag } = hit
  for (const name in headers) {
    if (name !== 'content-type') head.push(name, headers[name] ?? '')
  }
  const { state, ageMs } = options.servedFor ?? hit
  head.push('etag', etag, 'x-cache', X_CACHE[state], 'age', String(Math.floor(ageMs / 1000)))
  head.push('vary', varyOf(options.vary))
  if (options.cacheControl !== undefined) head.push('cache-control', options.cacheControl)
  return head
}

interface Answer {
  readonly status: number
  readonly head: Head
  readonly bytes?: Buffer
}

function write(reply: FastifyReply, { status, head, bytes }: Answer): void {
  reply.raw.writeHead(status, head)
  reply.hijack()
  reply.raw.end(reply.request.raw.method === 'HEAD' ? undefined : bytes)
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
  if (header === undefined || hit.brotli === undefined) return 'identity'
  const accepted = acceptedEncodings(String(header))
  if (accepted.br) {
    hit.wantBrotli()
    return 'br'
  }
  return accepted.gzip && hit.gzip !== undefined ? 'gzip' : 'identity'
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
