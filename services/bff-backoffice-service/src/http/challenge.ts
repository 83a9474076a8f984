import { isProblem, type ProblemCode } from '@melmastoon/domain'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Access } from '../access/access.ts'

const ALGORITHMS = 'algs="ES256 EdDSA Ed25519 RS256"'
const NO_ERROR = `DPoP ${ALGORITHMS}`
const INVALID_TOKEN = `DPoP error="invalid_token", ${ALGORITHMS}`
const INVALID_PROOF = `DPoP error="invalid_dpop_proof", ${ALGORITHMS}`

/** RFC 9449 §7.1 and §9; always 401, also where a token endpoint would send 400. */
const CHALLENGES: Partial<Record<ProblemCode, string>> = {
  'MELMASTOON.SECURITY.TOKEN_INVALID': INVALID_TOKEN,
  'MELMASTOON.SECURITY.TOKEN_EXPIRED': INVALID_TOKEN,
  'MELMASTOON.SECURITY.DEVICE_MISMATCH': INVALID_TOKEN,
  'MELMASTOON.SESSION.REVOKED': INVALID_TOKEN,
  'MELMASTOON.SECURITY.DPOP_PROOF_INVALID': INVALID_PROOF,
  'MELMASTOON.SECURITY.DPOP_REPLAYED': INVALID_PROOF,
  'MELMASTOON.SECURITY.DPOP_NONCE_REQUIRED': `DPoP error="use_dpop_nonce", ${ALGORITHMS}`,
}

/**
 * An `onError` hook: which credentials are missing, and the nonce as it is now. Errors that precede
 * the authentication have the nonce, too.
 */
export function createChallengeHook({ access }: { readonly access: Access }) {
  return async (_request: FastifyRequest, reply: FastifyReply, error: unknown): Promise<void> => {
    reply.header('dpop-nonce', access.nonce())
    if (isProblem(error) && error.status === 401) {
      reply.header('www-authenticate', CHALLENGES[error.code] ?? NO_ERROR)
    }
  }
}
