import type { IncomingHttpHeaders } from 'node:http'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { memoizeTexts } from '@melmastoon/domain'
import type { FastifyReply } from 'fastify'

export type Encoding = 'br' | 'gzip' | 'identity'

/** From small to large: the order among encodings that the client prefers equally. */
const ENCODINGS: readonly Encoding[] = ['br', 'gzip', 'identity']
/** Without the header every encoding is acceptable; we then send none (RFC 9110 §12.5.3). */
const IDENTITY_ONLY: readonly Encoding[] = ['identity']

/** The rest of a longer header is ignored. */
const HEADER_LENGTH_MAX = 1_024

/** The encodings that a client accepts, best first; empty when it accepts none of ours. */
export const acceptedEncodings = memoizeTexts((header): readonly Encoding[] => {
  const weights = parseWeights(header)
  const others = weights.get('*')
  const weightOf = (encoding: Encoding) =>
    weights.get(encoding) ??
    (encoding === 'gzip' ? weights.get('x-gzip') : undefined) ??
    others ??
    (encoding === 'identity' ? Number.MIN_VALUE : 0)
  return ENCODINGS.filter((encoding) => weightOf(encoding) > 0).sort(
    (one, other) => weightOf(other) - weightOf(one),
  )
})

/**
 * RFC 9110 §12.5.1: the most specific range decides. A header without a valid range is ignored.
 */
export const acceptsJson = memoizeTexts((header): boolean => {
  const weights = parseWeights(header)
  if (weights.size === 0) return true
  const weight =
    weights.get('application/json') ?? weights.get('application/*') ?? weights.get('*/*') ?? 0
  return weight > 0
})

export function encodingsFor(headers: IncomingHttpHeaders): readonly Encoding[] {
  const header = headers['accept-encoding']
  return header === undefined ? IDENTITY_ONLY : acceptedEncodings(String(header))
}

export function isJsonAcceptable({ accept }: IncomingHttpHeaders): boolean {
  return accept === undefined || accept === '*/*' || acceptsJson(accept)
}

/** Brotli's default takes half a second for an OpenAPI document: any client could block us. */
const QUICK_BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }

/** For the rare client that rejects plain bytes where no compressed form exists. */
export function compress(encoding: Encoding, bytes: string | Buffer): Buffer {
  if (encoding === 'br') return brotliCompressSync(bytes, QUICK_BROTLI)
  return encoding === 'gzip' ? gzipSync(bytes) : Buffer.from(bytes)
}

/**
 * JSON that is not cached is sent plain unless the client rejects that. Problems are always sent.
 */
export function encodePayload(reply: FastifyReply, payload: unknown): unknown {
  const best = reply.request.state?.encodings[0] ?? 'identity'
  const isPlain = reply.request.state?.encodings.includes('identity') ?? true
  const isBytes = typeof payload === 'string' || Buffer.isBuffer(payload)
  const type = String(reply.getHeader('content-type'))
  if (isPlain || !isBytes || !type.startsWith('application/json')) return payload
  reply.header('content-encoding', best).header('vary', 'Accept-Encoding')
  return compress(best, payload)
}

/**
 * The weights by lower-case name. Members that are not well formed are ignored (RFC 9110 §5.6.1).
 */
function parseWeights(header: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>()
  for (const member of header.slice(0, HEADER_LENGTH_MAX).toLowerCase().split(',')) {
    const [name = '', ...parameters] = member.split(';').map((part) => part.trim())
    const weight = weightOf(parameters)
    if (!/^[!#$%&'*+.^_`|~0-9a-z/-]+$/.test(name) || weight === undefined) continue
    weights.set(name, Math.max(weight, weights.get(name) ?? 0))
  }
  return weights
}

function weightOf(parameters: readonly string[]): number | undefined {
  const given = parameters.find((parameter) => /^q\s*=/.test(parameter))
  if (given === undefined) return 1
  const [, digits] = /^q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.exec(given) ?? []
  return digits === undefined ? undefined : Number(digits)
}
