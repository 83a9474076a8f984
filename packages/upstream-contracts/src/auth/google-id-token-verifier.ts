import { type Clock, systemClock } from '@melmastoon/chassis/clock'
import { problem } from '@melmastoon/domain'
import { createRemoteJWKSet, errors, type JWTPayload, jwtVerify } from 'jose'
import type { ServiceVerifier } from './service-auth.ts'

export interface GoogleIdTokenVerifierOptions {
  /** Our own address, as callers name it when they ask for a token. */
  readonly audience: string
  /** The accounts that may call, and the service each of them is. */
  readonly serviceAccounts: Readonly<Record<string, string>>
  readonly jwksUrl?: string
  readonly issuers?: readonly string[]
  /** How often an unknown key may send us back to Google. */
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

/** Who calls is the service account in a token that Google signed for us alone. */
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
      }).catch(refuse)
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

/** What is wrong with a token is the caller's; that Google's keys cannot be read is not. */
const FAULTS_OF_THE_TOKEN = [
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

/** Without the cause: the errors of claims carry the whole payload. */
function refuse(error: unknown): never {
  if (FAULTS_OF_THE_TOKEN.some((fault) => error instanceof fault)) {
    throw problem('MELMASTOON.GENERAL.UNAUTHENTICATED')
  }
  const detail = 'the keys of tokens cannot be read'
  throw problem('MELMASTOON.GENERAL.DEPENDENCY_UNAVAILABLE', { detail, cause: error })
}
