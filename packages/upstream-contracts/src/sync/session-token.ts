import type { KeyObject } from 'node:crypto'
import type { DeviceId, OperatorId, PropertyId, TenantId } from '@melmastoon/domain'
import { createLocalJWKSet, errors, type JWK, jwtVerify, SignJWT } from 'jose'
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { id } from '../schemas.ts'

export const SYNC_ISSUER = 'bff-backoffice-service'
export const SYNC_AUDIENCE = 'sync-service'
export const SYNC_TOKEN_TYPE = 'sync-session+jwt'
export const SYNC_TOKEN_MAX_SECONDS = 900

/** The private claims of a token; `sub` is the operator. */
export const SyncSessionClaims = Type.Object({
  sub: id('opr'),
  tenant: id('tnt'),
  did: id('dev'),
  props: Type.Array(id('ppt'), { maxItems: 200 }),
})

const claims = Compile(SyncSessionClaims)

/** Whom a sync session token admits: one device of one operator, to these properties. */
export interface SyncSession {
  readonly tenantId: TenantId
  readonly operatorId: OperatorId
  readonly deviceId: DeviceId
  readonly propertyIds: readonly PropertyId[]
}

export interface SyncSigner {
  /** An Ed25519 private key. */
  readonly key: KeyObject
  readonly kid: string
}

/** Signed by the back office, verified by the sync service without a call. */
export async function signSyncToken(
  { key, kid }: SyncSigner,
  session: SyncSession,
  { now, lifetimeSeconds, tokenId }: { now: Date; lifetimeSeconds: number; tokenId: string },
): Promise<string> {
  const issuedAt = Math.floor(now.getTime() / 1_000)
  const payload: Static<typeof SyncSessionClaims> = {
    sub: session.operatorId,
    tenant: session.tenantId,
    did: session.deviceId,
    props: [...session.propertyIds],
  }
  return await new SignJWT({ ...payload })
    .setProtectedHeader({ alg: 'EdDSA', typ: SYNC_TOKEN_TYPE, kid })
    .setIssuer(SYNC_ISSUER)
    .setAudience(SYNC_AUDIENCE)
    .setJti(tokenId)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + Math.min(lifetimeSeconds, SYNC_TOKEN_MAX_SECONDS))
    .sign(key)
}

/** Null for a token that is forged, expired or made for another purpose. */
export async function verifySyncToken(
  token: string,
  { keys, now }: { keys: readonly JWK[]; now: Date },
): Promise<SyncSession | null> {
  try {
    const { payload } = await jwtVerify(token, createLocalJWKSet({ keys: [...keys] }), {
      algorithms: ['EdDSA'],
      issuer: SYNC_ISSUER,
      audience: SYNC_AUDIENCE,
      typ: SYNC_TOKEN_TYPE,
      maxTokenAge: SYNC_TOKEN_MAX_SECONDS,
      requiredClaims: ['exp', 'iat', 'jti', 'sub'],
      currentDate: now,
    })
    return claims.Check(payload) ? sessionOf(payload) : null
  } catch (error) {
    if (error instanceof errors.JOSEError) return null
    throw error
  }
}

function sessionOf({ sub, tenant, did, props }: Static<typeof SyncSessionClaims>): SyncSession {
  return { operatorId: sub, tenantId: tenant, deviceId: did, propertyIds: props }
}
