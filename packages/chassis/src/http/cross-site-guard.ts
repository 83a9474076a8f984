import { type Problem, problem } from '@melmastoon/domain'
import type { FastifyInstance, FastifyRequest } from 'fastify'

const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Requests that change something come from our own pages or from no page at all. A sibling tenant
 * is same-site and still a stranger, so `same-site` is refused like `cross-site` (D3). Browsers
 * without the header are judged by `Origin`.
 */
export function registerCrossSiteGuard(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (SAFE_METHODS.has(request.method)) return done()
    if (isForeign(request)) return done(problem('MELMASTOON.GENERAL.CROSS_SITE_REQUEST'))
    if (hasUnknownCoding(request)) return done(malformed())
    if (isEncoded(request)) return done(problem('MELMASTOON.GENERAL.UNSUPPORTED_MEDIA_TYPE'))
    done()
  })
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
