import type { FastifyRequest } from 'fastify'
import { FINGERPRINT_VERSIONS, type Fingerprint, fingerprint } from '../../idempotency/index.ts'
import type { PreparedRoute } from './prepare-route.ts'

/** Parameters and query too: the scope holds the route's template, not the address. */
export function readFingerprint<R extends FastifyRequest>(
  { options, readSignificant }: PreparedRoute<R>,
  request: R,
): Fingerprint {
  const { body, params, query } = request
  const versions = options.fingerprints ?? FINGERPRINT_VERSIONS
  return fingerprint({ body, params, query }, readSignificant(request), versions)
}
