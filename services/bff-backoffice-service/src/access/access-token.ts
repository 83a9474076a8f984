import { type KeyObject, verify } from 'node:crypto'
import {
  type DeviceId,
  type Id,
  isId,
  type OperatorId,
  type Problem,
  type PropertyId,
  problem,
  type TenantId,
} from '@melmastoon/domain'
import { decodeBase64url } from '@melmastoon/security'
import { LRUCache } from 'lru-cache'
import { OPERATOR_ROLES, type OperatorRole, type PropertyScope } from './operator.ts'

/** What iam asserts about the sender; `jkt` is the key that the sender must prove to have. */
export interface TokenClaims {
  readonly tenantId: TenantId
  readonly operatorId: OperatorId
  readonly deviceId: DeviceId
  readonly sessionId: Id<'bos'>
  readonly jkt: string
  readonly roles: readonly OperatorRole[]
  readonly properties: PropertyScope
  readonly expiresAtMs: number
}

export interface TokenRules {
  readonly issuer: string
  readonly audience: string
  /** `typ` of the header. */
  readonly type: string
}

type JsonObject = Readonly<Record<string, unknown>>

/** The parts of a JWT whose signature is not verified yet. */
export interface UnverifiedToken {
  readonly kid: string
  readonly claims: JsonObject
  readonly input: Buffer
  readonly signature: Buffer
}

const TOKEN_MAX_CHARS = 4_096
const SCHEME = /^DPoP ([A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+)$/i
const JKT = /^[A-Za-z0-9_-]{43}$/
/** Clocks of two servers differ by seconds at most. */
const SKEW_SECONDS = 5
const PROPERTIES_MAX = 1_000
/** Of sets that are shared: so that their names stay short. */
const SHARED_IDS_MAX = 20

/** RFC 9449 §7.1. A `Bearer` token is rejected, even a valid one. */
export function readAuthorization(header: string | undefined): string {
  const [, token] = SCHEME.exec(header ?? '') ?? []
  if (token === undefined || token.length > TOKEN_MAX_CHARS) throw invalidToken()
  return token
}

/** Shape and header only (RFC 9068 §4): EdDSA, and no other algorithm whatever the token says. */
export function parseToken(token: string, { type }: TokenRules): UnverifiedToken {
  const [headerText = '', claimsText = '', signatureText = ''] = token.split('.')
  const header = readJson(headerText)
  const claims = readJson(claimsText)
  const signature = decodeBase64url(signatureText)
  if (header === null || claims === null || signature === null) throw invalidToken()
  const { kid } = header
  const isExpected = header['alg'] === 'EdDSA' && header['typ'] === type && !('crit' in header)
  if (!isExpected || typeof kid !== 'string') throw invalidToken()
  return { kid, claims, signature, input: Buffer.from(`${headerText}.${claimsText}`, 'latin1') }
}

/** `cnf.jkt` (RFC 9449 §6.1). */
export function claimedKey({ claims }: Pick<UnverifiedToken, 'claims'>): string | undefined {
  const { cnf } = claims
  const jkt = isObject(cnf) ? cnf['jkt'] : undefined
  return typeof jkt === 'string' ? jkt : undefined
}

/** @throws Problem TOKEN_INVALID, TOKEN_EXPIRED */
export function verifyToken(
  { claims, input, signature }: UnverifiedToken,
  key: KeyObject,
  { rules, nowMs }: { readonly rules: TokenRules; readonly nowMs: number },
): TokenClaims {
  if (!verify(null, input, key, signature)) throw invalidToken()
  const { iss, aud, iat, exp } = claims
  if (iss !== rules.issuer || aud !== rules.audience) throw invalidToken()
  if (typeof iat !== 'number' || typeof exp !== 'number') throw invalidToken()
  if (iat > nowMs / 1_000 + SKEW_SECONDS) throw invalidToken()
  const known = readClaims(claims, exp * 1_000)
  if (known === null) throw invalidToken()
  requireCurrent(known, nowMs)
  return known
}

/** @throws Problem TOKEN_EXPIRED */
export function requireCurrent({ expiresAtMs }: TokenClaims, nowMs: number): void {
  if (expiresAtMs <= nowMs) throw problem('MELMASTOON.SECURITY.TOKEN_EXPIRED')
}

export function invalidToken(): Problem {
  return problem('MELMASTOON.SECURITY.TOKEN_INVALID')
}

function readClaims(claims: JsonObject, expiresAtMs: number): TokenClaims | null {
  const { sub, tenant, did, sid } = claims
  const jkt = claimedKey({ claims })
  const roles = readRoles(claims['roles'])
  const properties = readProperties(claims['props'])
  if (!isId('opr', sub) || !isId('tnt', tenant) || !isId('dev', did) || !isId('bos', sid)) {
    return null
  }
  if (jkt === undefined || !JKT.test(jkt) || properties === null || roles.length === 0) {
    return null
  }
  const ids = { tenantId: tenant, operatorId: sub, deviceId: did, sessionId: sid }
  return { ...ids, jkt, roles, properties, expiresAtMs }
}

/** Roles of a later release are ignored. */
function readRoles(value: unknown): OperatorRole[] {
  if (!Array.isArray(value)) return []
  return OPERATOR_ROLES.filter((role) => value.includes(role))
}

function readProperties(value: unknown): PropertyScope | null {
  if (!Array.isArray(value) || value.length > PROPERTIES_MAX) return null
  if (value.includes('*')) return '*'
  return propertySet(value.filter((item): item is PropertyId => isId('ppt', item)))
}

const SETS_MAX = 2_000
const propertySets = new LRUCache<string, ReadonlySet<PropertyId>>({ max: SETS_MAX })

/** The staff of a hotel have the same properties: their tokens share the set. */
function propertySet(ids: readonly PropertyId[]): ReadonlySet<PropertyId> {
  if (ids.length > SHARED_IDS_MAX) return new Set(ids)
  const name = ids.join(' ')
  const set = propertySets.get(name) ?? new Set(ids)
  propertySets.set(name, set)
  return set
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function readJson(part: string): JsonObject | null {
  const bytes = decodeBase64url(part)
  if (bytes === null) return null
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'))
    return isObject(value) ? value : null
  } catch {
    return null
  }
}
