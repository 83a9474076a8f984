import { type Problem, problem } from '@melmastoon/domain'
import type { FastifyRequest } from 'fastify'

/**
 * Requests that change something come from our own pages or from no page at all. A sibling tenant
 * is same-site and still a stranger, so `same-site` is refused like `cross-site` (D3). Browsers
 * without the header are judged by `Origin`.
 */
export function requestRefusal(request: FastifyRequest): Problem | undefined {
  const { method } = request.raw
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return undefined
  if (isForeign(request)) return problem('MELMASTOON.GENERAL.CROSS_SITE_REQUEST')
  if (hasUnknownCoding(request)) return malformed()
  if (isEncoded(request)) return problem('MELMASTOON.GENERAL.UNSUPPORTED_MEDIA_TYPE')
  return undefined
}

function isForeign(request: FastifyRequest): boolean {
  const { 'sec-fetch-site': site, origin } = request.raw.headers
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  if (origin === undefined) return false
  return URL.parse(origin)?.host !== request.host
}

/** A compressed body could unpack beyond every limit, so it is not read at all (SEC-N03). */
function isEncoded(request: FastifyRequest): boolean {
  const encoding = request.raw.headers['content-encoding']
  return encoding !== undefined && encoding !== 'identity'
}

/**
 * Node reads a body with an unknown transfer coding until the connection ends, while a proxy may
 * see its end elsewhere: the ground of request smuggling (SEC-N02, RFC 9112 §6.1).
 */
function hasUnknownCoding(request: FastifyRequest): boolean {
  const coding = request.raw.headers['transfer-encoding']
  return coding !== undefined && coding.toLowerCase() !== 'chunked'
}

function malformed(): Problem {
  return problem('MELMASTOON.GENERAL.VALIDATION_FAILED', { headers: { connection: 'close' } })
}
