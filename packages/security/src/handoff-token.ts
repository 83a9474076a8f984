import { createHmac, hash } from 'node:crypto'
import { type ProblemCode, problem, type TenantId, toIsoDateTime } from '@melmastoon/domain'
import { decodeBase64url, equalBytes } from './bytes.ts'
import {
  type DecodedHandoff,
  decodeLines,
  encodeLines,
  type HandoffFields,
  type HandoffTimes,
} from './handoff-lines.ts'
import type { KeyRing, RingKey } from './key-ring.ts'

/** Consumer domain model §2.4: a handoff is valid for exactly 30 minutes. */
export const HANDOFF_LIFETIME_MS: number = 30 * 60_000
/** D4: the clocks of the two services may differ by a minute. */
export const HANDOFF_SKEW_MS = 60_000
/** Three campaign texts of 200 characters, percent-encoded and in base64url, stay below. */
const TOKEN_MAX_CHARS = 10_240
/** 32 bytes in base64url. */
const MAC_CHARS = 43

interface Signed {
  /** For audit: identifies the signature without revealing it. */
  readonly signatureFingerprint: string
}

export interface MintedHandoff extends HandoffTimes, Signed {
  readonly token: string
}

export interface VerifiedHandoff extends DecodedHandoff, Signed {}

export interface HandoffAudience {
  readonly now: Date
  /** The tenant to which the token is presented. */
  readonly tenantId: TenantId
  /** The codes of the service that verifies; those of the consumer service by default. */
  readonly rejections?: HandoffRejections
}

export interface HandoffRejections {
  readonly invalid: ProblemCode
  readonly expired: ProblemCode
  /** For a token with a valid signature only. */
  readonly otherTenant: ProblemCode
}

const REJECTIONS: HandoffRejections = {
  invalid: 'MELMASTOON.BFF.CONSUMER.HANDOFF_SIGNATURE_INVALID',
  expired: 'MELMASTOON.BFF.CONSUMER.HANDOFF_EXPIRED',
  otherTenant: 'MELMASTOON.BFF.CONSUMER.HANDOFF_SIGNATURE_INVALID',
}

/** @throws Problem HANDOFF_FIELD_INVALID for fields that may not be signed. */
export function mintHandoff(fields: HandoffFields, keyRing: KeyRing, now: Date): MintedHandoff {
  const { active } = keyRing
  const times = {
    mintedAt: toIsoDateTime(now),
    expiresAt: toIsoDateTime(new Date(now.getTime() + HANDOFF_LIFETIME_MS)),
    keyId: active.id,
  }
  const bytes = Buffer.from(encodeLines(fields, times), 'latin1')
  const mac = createHmac('sha256', active.key).update(bytes).digest()
  const token = `${bytes.toString('base64url')}.${mac.toString('base64url')}`
  return { token, signatureFingerprint: fingerprintOf(mac), ...times }
}

/**
 * The payload is not parsed before a key has verified its bytes, and every error about an unsigned
 * token is the same, so that an attacker learns nothing from it.
 * @throws Problem with a code of the audience's rejections
 */
export function verifyHandoff(
  token: string,
  keyRing: KeyRing,
  audience: HandoffAudience,
): VerifiedHandoff {
  const { tenantId, now, rejections = REJECTIONS } = audience
  const parts = splitToken(token)
  if (parts === null) throw problem(rejections.invalid)
  const signer = findSigner(parts, keyRing)
  if (signer === null) throw problem(rejections.invalid)
  const handoff = decodeLines(parts.payload.toString('latin1'))
  if (handoff === null || handoff.keyId !== signer.id) throw problem(rejections.invalid)
  if (handoff.tenantId !== tenantId) throw problem(rejections.otherTenant)
  checkTimes(handoff, now.getTime(), rejections)
  return { ...handoff, signatureFingerprint: fingerprintOf(parts.mac) }
}

interface TokenParts {
  readonly payload: Buffer
  readonly mac: Buffer
}

function splitToken(token: string): TokenParts | null {
  if (typeof token !== 'string' || token.length > TOKEN_MAX_CHARS) return null
  const dot = token.length - MAC_CHARS - 1
  if (dot < 1 || token[dot] !== '.') return null
  const payload = decodeBase64url(token.slice(0, dot))
  const mac = decodeBase64url(token.slice(dot + 1))
  return payload === null || mac === null ? null : { payload, mac }
}

/**
 * Tries every key, also after a match, so that the time reveals neither the key nor its position.
 */
function findSigner({ payload, mac }: TokenParts, keyRing: KeyRing): RingKey | null {
  let signer: RingKey | null = null
  for (const candidate of keyRing.verifying) {
    const expected = createHmac('sha256', candidate.key).update(payload).digest()
    if (equalBytes(expected, mac)) signer = candidate
  }
  return signer
}

function checkTimes(handoff: DecodedHandoff, nowMs: number, rejections: HandoffRejections): void {
  const mintedMs = Date.parse(handoff.mintedAt)
  const expiresMs = Date.parse(handoff.expiresAt)
  if (expiresMs - mintedMs !== HANDOFF_LIFETIME_MS) throw problem(rejections.invalid)
  if (mintedMs > nowMs + HANDOFF_SKEW_MS) throw problem(rejections.invalid)
  if (expiresMs + HANDOFF_SKEW_MS < nowMs) throw problem(rejections.expired)
}

function fingerprintOf(mac: Buffer): string {
  return `sha256:${hash('sha256', mac, 'hex')}`
}
