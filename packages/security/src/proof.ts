import { hash } from 'node:crypto'
import { type Problem, problem } from '@melmastoon/domain'
import { decodeBase64url, equalText } from './bytes.ts'
import { importProofKey, type ProofJwk, readProofJwk, verifySignature } from './proof-key.ts'
import { ProofKeyCache } from './proof-key-cache.ts'
import { normalizeUri } from './proof-uri.ts'

/** RFC 9449 §11.1 requires "a relatively brief period"; slow mobile networks need two minutes. */
export const PROOF_MAX_AGE_SECONDS = 120
/** Synchronised clocks are ahead by a few seconds at most. */
export const PROOF_FUTURE_SKEW_SECONDS = 5
/**
 * As long as a proof can be accepted by any instance, plus five seconds of clock difference between
 * instances.
 */
export const PROOF_REPLAY_TTL_MS: number =
  (PROOF_MAX_AGE_SECONDS + PROOF_FUTURE_SKEW_SECONDS + 5) * 1000
/** An RS256 proof with a 4096-bit key takes about 2.5 KiB. */
const PROOF_MAX_CHARS = 4096
const JTI_MAX_CHARS = 256

export interface ProofRequest {
  /** All values of the `DPoP` header as received. */
  readonly header: string | readonly string[] | undefined
  readonly method: string
  /**
   * Configured public origin + path; never built from `Host`. Several where the service is reached
   * at several addresses: the proof names one of them.
   */
  readonly url: string | readonly string[]
  readonly accessToken?: string | undefined
  /** `cnf.jkt` of the access token. */
  readonly expectedJkt?: string | undefined
  /** When given, the proof must carry one of these. */
  readonly nonce?: string | readonly string[] | undefined
  readonly now: Date
  readonly keys?: ProofKeyCache
}

export interface VerifiedProof {
  readonly jkt: string
  readonly jti: string
  readonly iat: number
  /** Normalised; part of the replay key. */
  readonly htu: string
}

const sharedKeys = new ProofKeyCache()

/**
 * The twelve checks of RFC 9449 §4.3, numbered as there; the cheap ones first, the signature last.
 * The caller records the `jti`.
 * @throws Problem DPOP_PROOF_INVALID, DPOP_NONCE_REQUIRED
 */
export function verifyProof(request: ProofRequest): VerifiedProof {
  const jwt = readJwt(request.header)
  const proofKey = checkHeader(jwt.header)
  const htu = checkTarget(jwt.claims, request)
  const { jti, iat } = checkIdentity(jwt.claims)
  const isNonceValid = checkNonce(jwt.claims, request.nonce)
  if (!isNonceValid) checkAge(iat, request.now)
  checkToken(jwt.claims, proofKey.jkt, request)
  checkSignature(jwt, proofKey, request.keys ?? sharedKeys)
  return { jkt: proofKey.jkt, jti, iat, htu }
}

type JsonObject = Readonly<Record<string, unknown>>

interface Jwt {
  readonly header: JsonObject
  readonly claims: JsonObject
  readonly input: Buffer
  readonly signature: Buffer
}

/** Checks 1 and 2: one header field, one well-formed JWT (RFC 7519 §7.2, RFC 7515 §3.1). */
function readJwt(field: ProofRequest['header']): Jwt {
  const values = typeof field === 'string' ? [field] : (field ?? [])
  const [text] = values
  if (values.length !== 1 || text === undefined) throw invalidProof('one DPoP header is required')
  if (text.length > PROOF_MAX_CHARS) throw invalidProof('the proof is too long')
  const [headerText = '', claimsText = '', signatureText = '', ...rest] = text.split('.')
  const signature = decodeBase64url(signatureText)
  const header = readJson(headerText)
  const claims = readJson(claimsText)
  if (rest.length > 0 || header === null || claims === null || !signature?.length) {
    throw invalidProof('the proof is not a JWT')
  }
  const input = Buffer.from(`${headerText}.${claimsText}`, 'latin1')
  return { header, claims, input, signature }
}

function readJson(part: string): JsonObject | null {
  const bytes = decodeBase64url(part)
  if (bytes === null) return null
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'))
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as JsonObject) : null
  } catch {
    return null
  }
}

/** Checks 4, 5 and 7: type, algorithm from the allow-list, public key that fits it. */
function checkHeader(header: JsonObject): ProofJwk {
  if (header['typ'] !== 'dpop+jwt') throw invalidProof('typ must be dpop+jwt')
  // RFC 7515 §4.1.11: no critical extension is supported.
  if ('crit' in header) throw invalidProof('critical extensions are not supported')
  const proofKey = readProofJwk(header['alg'], header['jwk'])
  if (proofKey === null) throw invalidProof('alg and jwk must be a supported public key')
  return proofKey
}

/** Checks 3, 8 and 9. §4.2 defines `htu` without query and fragment, so others are wrong. */
function checkTarget(claims: JsonObject, { method, url }: ProofRequest): string {
  const { htm, htu } = claims
  if (typeof htm !== 'string' || htm !== method) throw invalidProof('htm does not match')
  if (typeof htu !== 'string' || /[?#]/.test(htu)) throw invalidProof('htu does not match')
  const presented = normalizeUri(htu)
  const accepted = typeof url === 'string' ? [url] : url
  const isKnown = accepted.some(
    (candidate) => candidate === htu || targetOf(candidate) === presented,
  )
  if (presented === null || !isKnown) throw invalidProof('htu does not match')
  return presented
}

function targetOf(url: string): string {
  const target = normalizeUri(url)
  if (target === null) throw new TypeError('url must be an absolute http(s) URL')
  return target
}

/** Check 3, the rest of the claims that every proof has (§4.2). */
function checkIdentity(claims: JsonObject): { jti: string; iat: number } {
  const { jti, iat } = claims
  if (typeof jti !== 'string' || jti === '' || jti.length > JTI_MAX_CHARS) {
    throw invalidProof('jti is missing or too long')
  }
  if (typeof iat !== 'number' || !Number.isFinite(iat)) throw invalidProof('iat is missing')
  return { jti, iat }
}

/** Check 10. True when a nonce of this server dates the proof. */
function checkNonce(claims: JsonObject, expected: ProofRequest['nonce']): boolean {
  if (expected === undefined) return false
  const { nonce } = claims
  const accepted = typeof expected === 'string' ? [expected] : expected
  const isKnown =
    typeof nonce === 'string' && accepted.some((candidate) => equalText(candidate, nonce))
  if (!isKnown) throw problem('MELMASTOON.SECURITY.DPOP_NONCE_REQUIRED')
  return true
}

/**
 * Check 11. The age counts from `iat`, or from the nonce where one was required: then a device
 * whose clock is wrong is still accepted.
 */
function checkAge(iat: number, now: Date): void {
  const ageSeconds = now.getTime() / 1000 - iat
  if (ageSeconds > PROOF_MAX_AGE_SECONDS || ageSeconds < -PROOF_FUTURE_SKEW_SECONDS) {
    throw invalidProof('iat is outside the window')
  }
}

/** Checks 3 and 12: the hash of the token and the key that the token is bound to. */
function checkToken(claims: JsonObject, jkt: string, request: ProofRequest): void {
  const { accessToken, expectedJkt } = request
  if (expectedJkt !== undefined && !equalText(expectedJkt, jkt)) {
    throw invalidProof('the token is bound to another key')
  }
  if (accessToken === undefined) return
  if (expectedJkt === undefined) throw invalidProof('the token is bound to no key')
  const { ath } = claims
  if (typeof ath !== 'string' || !equalText(ath, hash('sha256', accessToken, 'base64url'))) {
    throw invalidProof('ath does not match')
  }
}

/** Check 6. A key enters the cache only after it has signed something valid. */
function checkSignature(jwt: Jwt, proofKey: ProofJwk, keys: ProofKeyCache): void {
  const key = keys.get(proofKey.jkt) ?? importProofKey(proofKey)
  if (key === null || !verifySignature(proofKey.alg, key, jwt)) {
    throw invalidProof('the signature does not verify')
  }
  keys.set(proofKey.jkt, key)
}

function invalidProof(detail: string): Problem {
  return problem('MELMASTOON.SECURITY.DPOP_PROOF_INVALID', { detail })
}
