import { type Problem, problem } from '@melmastoon/domain'
import type { FastifyRequest } from 'fastify'

/**
 * Returns the reason to reject a request by its head, before anything else is done with it.
 * Requests that change something come from our own pages or from no page at all.
 */
export function rejectionOf(request: FastifyRequest): Problem | undefined {
  if (isAmbiguous(request)) return malformedHead()
  const { method } = request.raw
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return undefined
  if (isForeign(request)) return problem('MELMASTOON.GENERAL.CROSS_SITE_REQUEST')
  if (hasUnknownTransferCoding(request)) return malformedHead()
  if (isEncoded(request)) return problem('MELMASTOON.GENERAL.UNSUPPORTED_MEDIA_TYPE')
  return undefined
}

/**
 * Several `Host` lines arrive joined by commas (`joinDuplicateHeaders`); a proxy may have routed by
 * another of them (RFC 9112 §3.2). HTTP/0.9 has no headers, so no host at all.
 */
function isAmbiguous({ raw }: FastifyRequest): boolean {
  return raw.httpVersionMajor === 0 || raw.headers.host?.includes(',') === true
}

/**
 * A sibling tenant is same-site and still another party, so `same-site` is rejected like
 * `cross-site` (D3). For browsers without the header, `Origin` decides.
 */
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
 * see its end elsewhere: this enables request smuggling (SEC-N02, RFC 9112 §6.1).
 */
function hasUnknownTransferCoding(request: FastifyRequest): boolean {
  const coding = request.raw.headers['transfer-encoding']
  return coding !== undefined && coding.toLowerCase() !== 'chunked'
}

function malformedHead(): Problem {
  return problem('MELMASTOON.GENERAL.VALIDATION_FAILED', { headers: { connection: 'close' } })
}
