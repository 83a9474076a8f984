import { createPrivateKey, randomUUID } from 'node:crypto'
import { toIsoDateTime, uuidToId } from '@melmastoon/domain'
import {
  ACCESS_TOKEN_AUDIENCE,
  ACCESS_TOKEN_TYPE,
  type IssuedTokens,
} from '@melmastoon/upstream-contracts/iam'
import type { Operator } from '@melmastoon/upstream-contracts/tenant'
import { SignJWT } from 'jose'
import type { FamilyRow } from './family-sql.ts'
import type { IamHost } from './iam.ts'
import { renderToken } from './refresh-token.ts'
import { activeKey } from './signing-keys.ts'

/** The tokens of the current position of the family, with the roles that the operator has now. */
export async function issueTokens(
  host: IamHost,
  family: FamilyRow,
  operator: Operator,
): Promise<IssuedTokens> {
  const tenantId = uuidToId('tnt', family.tenant_id)
  const sessionId = uuidToId('bos', family.session_id)
  const deviceId = uuidToId('dev', family.device_id)
  const { operatorId } = operator
  const position = { generation: family.generation, replacement: family.replacements }
  const ref = { tenantId, familyId: uuidToId('fam', family.family_id) }
  return {
    accessToken: await signAccessToken(host, family, operator),
    refreshToken: renderToken(family.token_key, ref, position),
    expiresIn: host.config.accessTokenSeconds,
    sessionId,
    operatorId,
    deviceId,
    tenantId,
    familyExpiresAt: toIsoDateTime(family.expires_at),
  }
}

async function signAccessToken(
  host: IamHost,
  family: FamilyRow,
  { operatorId, roles, properties }: Operator,
): Promise<string> {
  const { kid, private_jwk } = await activeKey(host)
  const { accessTokenSeconds, iamIssuer } = host.config
  const issuedAt = Math.floor(host.clock.nowMs() / 1_000)
  const claims = {
    tenant: uuidToId('tnt', family.tenant_id),
    did: uuidToId('dev', family.device_id),
    sid: uuidToId('bos', family.session_id),
    cnf: { jkt: family.jkt },
    roles,
    props: properties === '*' ? ['*'] : properties,
    amr: ['pwd'],
  }
  return await new SignJWT(claims)
    .setProtectedHeader({ alg: 'EdDSA', typ: ACCESS_TOKEN_TYPE, kid })
    .setIssuer(iamIssuer)
    .setAudience(ACCESS_TOKEN_AUDIENCE)
    .setSubject(operatorId)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + accessTokenSeconds)
    .setJti(randomUUID())
    .sign(createPrivateKey({ key: { ...private_jwk }, format: 'jwk' }))
}
