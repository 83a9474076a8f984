import { type Clock, systemClock } from '@melmastoon/chassis/clock'
import { problem } from '@melmastoon/domain'
import { createRemoteJWKSet, errors, type JWTPayload, jwtVerify } from 'jose'
import type { ServiceVerifier } from './service-auth.ts'

export interface GoogleIdTokenVerifierOptions {
  /** The URL of this service, as callers name it when they request a token. */
  readonly audience: string
  /** The service accounts that may call, and the service name of each. */
  readonly serviceAccounts: Readonly<Record<string, string>>
  readonly jwksUrl?: string
  readonly issuers?: readonly string[]
  /** Minimum time between two downloads of Google's keys because of an unknown key. */
  readonly cooldownMs?: number
  readonly timeoutMs?: number
  readonly clock?: Clock
}

const JWKS_URL = 'https://www.googleapis.com/oauth2/v3/certs'
const ISSUERS = ['https://accounts.google.com', 'accounts.google.com']
const COOLDOWN_MS = 30_000
const TIMEOUT_MS = 2_000
const CLOCK_TOLERANCE_SECONDS = 10
const BEARER = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/i
const TOKEN_MAX_CHARS = 8_192

/** The caller is the service account in a token that Google signed for this audience. */
export function googleIdTokenVerifier(options: GoogleIdTokenVerifierOptions): ServiceVerifier {
  const { audience, issuers = ISSUERS, clock = systemClock } = options
  const services = new Map(Object.entries(options.serviceAccounts))
  const keys = createRemoteJWKSet(new URL(options.jwksUrl ?? JWKS_URL), {
    cooldownDuration: options.cooldownMs ?? COOLDOWN_MS,
    timeoutDuration: options.timeoutMs ?? TIMEOUT_MS,
  })
  return {
    async verify(headers) {
      const token = bearerOf(headers['authorization'])
      const { payload } = await jwtVerify(token, keys, {
        audience,
        issuer: [...issuers],
        algorithms: ['RS256'],
        requiredClaims: ['exp', 'iat', 'email'],
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
        currentDate: clock.now(),
      }).catch(reject)
      const service = services.get(accountOf(payload))
      if (service === undefined) throw problem('MELMASTOON.GENERAL.UNAUTHENTICATED')
      return { service }
    },
  }
}

function bearerOf(header: string | string[] | undefined): string {
  const isSane = typeof header === 'string' && header.length <= TOKEN_MAX_CHARS
  const token = isSane ? BEARER.exec(header)?.[1] : undefined
  if (token === undefined) throw problem('MELMASTOON.GENERAL.UNAUTHENTICATED')
  return token
}

function accountOf(payload: JWTPayload): string {
  const { email, email_verified: isVerified } = payload
  return typeof email === 'string' && isVerified === true ? email : ''
}

/** Errors of the token are the caller's; a failure to read Google's keys is not. */
const TOKEN_ERRORS = [
  errors.JWTClaimValidationFailed,
  errors.JWTExpired,
  errors.JWTInvalid,
  errors.JWSInvalid,
  errors.JWSSignatureVerificationFailed,
  errors.JOSEAlgNotAllowed,
  errors.JOSENotSupported,
  errors.JWKSNoMatchingKey,
  errors.JWKSMultipleMatchingKeys,
]

/** Without the cause: claim errors contain the whole payload. */
function reject(error: unknown): never {
  if (TOKEN_ERRORS.some((fault) => error instanceof fault)) {
    throw problem('MELMASTOON.GENERAL.UNAUTHENTICATED')
  }
  const detail = 'the keys of the token issuer are not available'
  throw problem('MELMASTOON.GENERAL.DEPENDENCY_UNAVAILABLE', { detail, cause: error })
}
