import { idToUuid, problem, uuidToId } from '@melmastoon/domain'
import type { EventContext } from '@melmastoon/events'
import { equalText } from '@melmastoon/security'
import type { IssuedTokens } from '@melmastoon/upstream-contracts/iam'
import { decideRefresh, type FamilyPosition } from './decide-refresh.ts'
import { advanceFamily, type FamilyRow, selectFamily } from './family-sql.ts'
import type { IamHost } from './iam.ts'
import { issueTokens } from './issue-tokens.ts'
import { isAuthentic, type ParsedToken, parseToken } from './refresh-token.ts'
import { revoke } from './sessions.ts'

export interface RefreshRequest {
  readonly refreshToken: string
  /** Of the key that the caller verified a proof of. */
  readonly jkt: string
}

/** A request that loses a race reads again, and then usually only repeats the winner's response. */
const ATTEMPTS_MAX = 5

/**
 * Exchanges a refresh token. The family changes by compare-and-set, so that a request that was
 * delayed after reading cannot undo a later exchange.
 */
export async function refreshSession(
  host: IamHost,
  { refreshToken, jkt }: RefreshRequest,
  cause: EventContext,
): Promise<IssuedTokens> {
  const token = parseToken(refreshToken)
  if (token === null) throw problem('MELMASTOON.IAM.REFRESH_INVALID')
  const { tenantId } = token
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const family = await readFamily(host, token, jkt)
    const operator = await host.tenant.findOperator(tenantId, uuidToId('opr', family.operator_id))
    if (operator?.status !== 'active') throw problem('MELMASTOON.IAM.REFRESH_INVALID')
    const advanced = await advance(host, family, { token, cause: { ...cause, tenantId } })
    if (advanced !== null) return await issueTokens(host, advanced, operator)
  }
  throw problem('MELMASTOON.GENERAL.CONFLICT')
}

/** One code for unknown, expired, revoked and other keys: the caller signs in again in any case. */
async function readFamily(host: IamHost, token: ParsedToken, jkt: string): Promise<FamilyRow> {
  const { tenantId, familyId } = token
  const statement = selectFamily(idToUuid(tenantId), idToUuid(familyId))
  const [family] = await host.db.tenantQuery(tenantId, statement)
  const isValid =
    family !== undefined &&
    isAuthentic(family.token_key, token) &&
    equalText(family.jkt, jkt) &&
    family.revoked_at === null &&
    family.expires_at > host.clock.now()
  if (!isValid) throw problem('MELMASTOON.IAM.REFRESH_INVALID')
  return family
}

/** Null when another request changed the family first. */
async function advance(
  host: IamHost,
  family: FamilyRow,
  { token, cause }: { readonly token: ParsedToken; readonly cause: EventContext },
): Promise<FamilyRow | null> {
  const now = host.clock.now()
  const position = positionOf(family)
  const decision = decideRefresh(position, token, { now, rules: host.refreshRules })
  switch (decision) {
    case 'repeat':
      return family
    case 'rotate':
      return await store(host, family, {
        generation: position.generation + 1,
        replacements: 0,
        parentReplacement: position.replacements,
        rotatedAt: now,
      })
    case 'replace':
      return await store(host, family, {
        ...position,
        replacements: position.replacements + 1,
        rotatedAt: now,
      })
    case 'reuse':
      return await rejectReuse(host, family, cause)
  }
}

async function store(
  { db }: IamHost,
  family: FamilyRow,
  to: FamilyPosition,
): Promise<FamilyRow | null> {
  const tenantId = uuidToId('tnt', family.tenant_id)
  const [row] = await db.tenantQuery(tenantId, advanceFamily(family, to))
  return row ?? null
}

/** The revocation is committed before the response. */
async function rejectReuse(host: IamHost, family: FamilyRow, cause: EventContext): Promise<never> {
  const tenantId = uuidToId('tnt', family.tenant_id)
  const session = { tenantId, sessionId: uuidToId('bos', family.session_id) }
  await host.db.withTenant(tenantId, (tx) =>
    revoke(host, tx, session, { reasonCode: 'refresh_reused', cause }),
  )
  throw problem('MELMASTOON.IAM.REFRESH_REUSED')
}

function positionOf(family: FamilyRow): FamilyPosition {
  return {
    generation: family.generation,
    replacements: family.replacements,
    parentReplacement: family.parent_replacement,
    rotatedAt: family.rotated_at,
  }
}
