import type { Queryable } from '@melmastoon/chassis/db'
import { appendEvents } from '@melmastoon/chassis/outbox'
import {
  type Id,
  idToUuid,
  problem,
  type TenantId,
  toIsoDateTime,
  uuidToId,
} from '@melmastoon/domain'
import type { EventContext } from '@melmastoon/events'
import { sessionRevoked } from '@melmastoon/platform-events'
import type { InputOf } from '@melmastoon/upstream-contracts'
import type { StaffSession } from '@melmastoon/upstream-contracts/iam'
import type { CallOf } from '../../contract-handlers.ts'
import { type FamilyRow, revokeFamilies, revokeFamily, selectSession } from './family-sql.ts'
import type { IamHost, IamOperations } from './iam.ts'

type Revoke = IamOperations['revokeSession']

export interface SessionRef {
  readonly tenantId: TenantId
  readonly sessionId: Id<'bos'>
}

/** A session of another key does not exist for the caller. */
export async function readSession(
  { db, clock }: Pick<IamHost, 'db' | 'clock'>,
  { tenantId, sessionId }: SessionRef,
  jkt: string | undefined,
): Promise<StaffSession> {
  const statement = selectSession(idToUuid(tenantId), idToUuid(sessionId))
  const [row] = await db.tenantQuery(tenantId, statement)
  if (row === undefined || (jkt !== undefined && jkt !== row.jkt)) {
    throw problem('MELMASTOON.IAM.SESSION_NOT_FOUND')
  }
  return toSession(row, clock.now())
}

/** A session that has been revoked before stays as it is, and causes no second event. */
export async function revokeSession(
  host: IamHost,
  { params, body }: InputOf<Revoke>,
  call: CallOf<Revoke>,
): Promise<StaffSession> {
  const { tenantId, cause } = call
  const { sessionId } = params
  return await host.db.withTenant(tenantId, async (tx) => {
    const { reasonCode } = body
    const ref = { tenantId, sessionId }
    const revoked = await revoke(host, tx, ref, { reasonCode, cause })
    const [row] =
      revoked ?? (await tx.query(selectSession(idToUuid(tenantId), idToUuid(sessionId))))
    if (row === undefined) throw problem('MELMASTOON.IAM.SESSION_NOT_FOUND')
    return await call.finish(tx, toSession(row, host.clock.now()))
  })
}

export interface Reason {
  readonly reasonCode: string
  readonly cause: EventContext
}

type RevokeHost = Pick<IamHost, 'registry' | 'clock'>

/** Null when there is no active session of this id. */
export async function revoke(
  host: RevokeHost,
  tx: Queryable,
  ...[{ tenantId, sessionId }, reason]: [SessionRef, Reason]
): Promise<FamilyRow[] | null> {
  const { reasonCode } = reason
  const revocation = { reasonCode, now: host.clock.now() }
  const rows = await tx.query(revokeFamily(idToUuid(tenantId), idToUuid(sessionId), revocation))
  await publish(host, tx, rows, reason)
  return rows.length === 0 ? null : rows
}

/** For an operator who was disabled. */
export async function revokeSessionsOf(
  host: RevokeHost,
  tx: Queryable,
  ...[{ tenantId, operatorId }, reason]: [
    { readonly tenantId: TenantId; readonly operatorId: Id<'opr'> },
    Reason,
  ]
): Promise<void> {
  const revocation = { reasonCode: reason.reasonCode, now: host.clock.now() }
  const statement = revokeFamilies(idToUuid(tenantId), idToUuid(operatorId), revocation)
  await publish(host, tx, await tx.query(statement), reason)
}

async function publish(
  { registry, clock }: RevokeHost,
  tx: Queryable,
  ...[rows, { reasonCode, cause }]: [readonly FamilyRow[], Reason]
): Promise<void> {
  const events = rows.map((row) =>
    registry.build(
      sessionRevoked.subject,
      {
        tenantId: uuidToId('tnt', row.tenant_id),
        sessionId: uuidToId('bos', row.session_id),
        subjectId: uuidToId('opr', row.operator_id),
        reasonCode,
        revokedAt: toIsoDateTime(row.revoked_at ?? clock.now()),
      },
      cause,
    ),
  )
  if (events.length > 0) await appendEvents(tx, events)
}

/** An expired session is reported like a revoked one. */
function toSession(row: FamilyRow, now: Date): StaffSession {
  const isActive = row.revoked_at === null && row.expires_at > now
  return {
    sessionId: uuidToId('bos', row.session_id),
    tenantId: uuidToId('tnt', row.tenant_id),
    operatorId: uuidToId('opr', row.operator_id),
    deviceId: uuidToId('dev', row.device_id),
    jkt: row.jkt,
    familyExpiresAt: toIsoDateTime(row.expires_at),
    status: isActive ? 'active' : 'revoked',
  }
}
