import { createPublicKey, hash, type JsonWebKey, verify } from 'node:crypto'
import { idToUuid, newId, problem, type TenantId, toIsoDateTime } from '@melmastoon/domain'
import { equalText } from '@melmastoon/security'
import type { InputOf } from '@melmastoon/upstream-contracts'
import type { MfaChallenge } from '@melmastoon/upstream-contracts/iam'
import type { CallOf } from '../../contract-handlers.ts'
import { insertChallenge } from './challenge-sql.ts'
import { type PublicJwk, selectCredential } from './credential-sql.ts'
import type { IamHost, IamOperations } from './iam.ts'
import { checkLock } from './mfa-lock.ts'

type Operation = IamOperations['createMfaChallenge']

const LIFETIME_MS = 5 * 60_000

export async function createChallenge(
  host: IamHost,
  { body }: InputOf<Operation>,
  call: CallOf<Operation>,
): Promise<MfaChallenge> {
  const { tenantId } = call
  const challengeId = newId('chl')
  const challenge = challengeText({ ...body, tenantId, challengeId })
  const expiresAt = new Date(host.clock.nowMs() + LIFETIME_MS)
  return await host.db.withTenant(tenantId, async (tx) => {
    const tenant = idToUuid(tenantId)
    const operator = idToUuid(body.operatorId)
    const [credential] = await tx.query(selectCredential(tenant, operator))
    if (credential === undefined) throw problem('MELMASTOON.IAM.OPERATOR_NOT_FOUND')
    checkLock(credential, host.clock.now())
    const device = idToUuid(body.deviceId)
    const id = idToUuid(challengeId)
    const row = { tenant, operator, device, challengeId: id, challenge, expiresAt }
    await tx.query(insertChallenge(row))
    const created = { challengeId, challenge, expiresAt: toIsoDateTime(expiresAt) }
    return await call.finish(tx, created)
  })
}

export interface ChallengePurpose {
  readonly tenantId: TenantId
  /** Random, so that every challenge is different. */
  readonly challengeId: string
  readonly operatorId: string
  readonly deviceId: string
  readonly action: string
  readonly resourceKind: string
  readonly resourceId: string
}

/** A signature of it is of no use for another action, resource, device, operator or time. */
export function challengeText(purpose: ChallengePurpose): string {
  const { tenantId, challengeId, operatorId, deviceId, action } = purpose
  const { resourceKind, resourceId } = purpose
  const parts = [
    'mfa-challenge',
    tenantId,
    challengeId,
    operatorId,
    deviceId,
    action,
    resourceKind,
    resourceId,
  ]
  return hash('sha256', JSON.stringify(parts), 'base64url')
}

export interface Assertion {
  readonly jwk: PublicJwk
  /** The stored challenge, and the one that belongs to the requested purpose. */
  readonly stored: string
  readonly expected: string
  readonly signature: string
}

export function verifyAssertion({ jwk, stored, expected, signature }: Assertion): boolean {
  if (!equalText(stored, expected)) return false
  const bytes = Buffer.from(signature, 'base64url')
  const key = createPublicKey({ key: { ...jwk } satisfies JsonWebKey, format: 'jwk' })
  const data = Buffer.from(stored, 'ascii')
  if (jwk.kty === 'OKP') return verify(null, data, key, bytes)
  // RFC 7518 §3.4: r and s, not DER.
  return verify('sha256', data, { key, dsaEncoding: 'ieee-p1363' }, bytes)
}
