import { randomBytes } from 'node:crypto'
import type { Tx } from '@melmastoon/chassis/db'
import { appendEvents } from '@melmastoon/chassis/outbox'
import {
  idToUuid,
  newId,
  problem,
  type TenantId,
  toIsoDateTime,
  uuidToId,
} from '@melmastoon/domain'
import type { EventContext } from '@melmastoon/events'
import { deviceRegistered } from '@melmastoon/platform-events'
import type { IssuedTokens } from '@melmastoon/upstream-contracts/iam'
import type { Operator } from '@melmastoon/upstream-contracts/tenant'
import { selectCredentialByName } from './credential-sql.ts'
import { upsertDevice } from './device-sql.ts'
import { type FamilyRow, insertFamily } from './family-sql.ts'
import type { IamHost } from './iam.ts'
import { issueTokens } from './issue-tokens.ts'
import { verifyPassword } from './password.ts'
import { signInLimit } from './sign-in-limit.ts'

export interface SignInRequest {
  readonly tenantSlug: string
  readonly username: string
  readonly password: string
  readonly device: {
    readonly name: string
    readonly platform: string
    readonly appVersion: string
    /** Of the key that the caller proved to have. */
    readonly jkt: string
  }
}

type CauseFor = (tenantId: TenantId) => EventContext

/** @throws Problem IAM.INVALID_CREDENTIALS, GENERAL.RATE_LIMITED */
export async function signIn(
  host: IamHost,
  request: SignInRequest,
  causeFor: CauseFor,
): Promise<IssuedTokens> {
  const limit = signInLimit(host, [request.tenantSlug, request.username])
  await limit.check()
  const account = await findAccount(host, request)
  if (account === null) {
    await limit.count()
    throw problem('MELMASTOON.IAM.INVALID_CREDENTIALS')
  }
  await limit.clear()
  const { tenantId, operator } = account
  const family = await host.db.withTenant(tenantId, (tx) =>
    openSession(host, tx, { ...account, device: request.device, cause: causeFor(tenantId) }),
  )
  return await issueTokens(host, family, operator)
}

interface Account {
  readonly tenantId: TenantId
  readonly operator: Operator
}

/** Null, after the same work, whatever is wrong. */
async function findAccount(
  host: IamHost,
  { tenantSlug, username, password }: SignInRequest,
): Promise<Account | null> {
  const tenant = await host.tenant.findTenantOfSlug(tenantSlug)
  const { tenantId = newId('tnt') } = tenant ?? {}
  const statement = selectCredentialByName(idToUuid(tenantId), username)
  const [credential] = await host.db.tenantQuery(tenantId, statement)
  const isRight = await verifyPassword(password, credential?.password_hash)
  if (!isRight || credential === undefined || tenant?.status === 'closed') return null
  const operator = await host.tenant.findOperator(tenantId, uuidToId('opr', credential.operator_id))
  return operator?.status === 'active' ? { tenantId, operator } : null
}

interface Opening extends Account {
  readonly device: SignInRequest['device']
  readonly cause: EventContext
}

async function openSession(host: IamHost, tx: Tx, opening: Opening): Promise<FamilyRow> {
  const { tenantId, operator, device } = opening
  const now = host.clock.now()
  const deviceUuid = await registerDevice(host, tx, { ...opening, now })
  const statement = insertFamily({
    tenant: idToUuid(tenantId),
    family: idToUuid(newId('fam')),
    session: idToUuid(newId('bos')),
    operator: idToUuid(operator.operatorId),
    device: deviceUuid,
    jkt: device.jkt,
    tokenKey: randomBytes(32),
    now,
    expiresAt: new Date(now.getTime() + host.config.refreshFamilySeconds * 1_000),
  })
  const [family] = await tx.query(statement)
  if (family === undefined) throw new TypeError('the session was not stored')
  return family
}

async function registerDevice(
  { registry }: IamHost,
  tx: Tx,
  { tenantId, operator, device, cause, now }: Opening & { readonly now: Date },
): Promise<string> {
  const { operatorId, properties } = operator
  const statement = upsertDevice({
    ...device,
    tenant: idToUuid(tenantId),
    device: idToUuid(newId('dev')),
    operator: idToUuid(operatorId),
    properties: properties === '*' ? null : properties.map((id) => idToUuid(id)),
    now,
  })
  const [row] = await tx.query(statement)
  if (row === undefined) throw new TypeError('the device was not stored')
  if (row.is_new) {
    const deviceId = uuidToId('dev', row.device_id)
    const { platform } = device
    const payload = { tenantId, deviceId, operatorId, platform, occurredAt: toIsoDateTime(now) }
    await appendEvents(tx, [registry.build(deviceRegistered.subject, payload, cause)])
  }
  return row.device_id
}
