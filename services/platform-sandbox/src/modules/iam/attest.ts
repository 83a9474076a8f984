import type { Tx } from '@melmastoon/chassis/db'
import { idToUuid, problem, type TenantId, toIsoDateTime } from '@melmastoon/domain'
import type { InputOf, OutputOf } from '@melmastoon/upstream-contracts'
import type { CallOf } from '../../contract-handlers.ts'
import { useChallenge } from './challenge-sql.ts'
import { type CredentialRow, lockCredential, updateMfaState } from './credential-sql.ts'
import { selectSession } from './family-sql.ts'
import type { IamHost, IamOperations } from './iam.ts'
import { challengeText, verifyAssertion } from './mfa-challenge.ts'
import { afterFailure, checkLock } from './mfa-lock.ts'
import { verifyTotp } from './totp.ts'

type Operation = IamOperations['attest']
type Body = InputOf<Operation>['body']

/** A failure is committed, hence counted, before it is reported. */
export async function attest(
  host: IamHost,
  { body }: InputOf<Operation>,
  call: CallOf<Operation>,
): Promise<OutputOf<Operation>> {
  const { tenantId } = call
  const attested = await host.db.withTenant(tenantId, async (tx) => {
    const now = host.clock.now()
    await checkSession(tx, { tenantId, body, now })
    const credential = await lock(tx, tenantId, body)
    checkLock(credential, now)
    const lastStep = await verifyFactor(tx, credential, { tenantId, body, now })
    const isAccepted = lastStep !== null
    const state = isAccepted
      ? { lastStep, failures: 0, failingSince: null }
      : afterFailure(credential, now)
    await tx.query(updateMfaState(idToUuid(tenantId), idToUuid(body.operatorId), state))
    if (!isAccepted) return null
    return await call.finish(tx, { attestedAt: toIsoDateTime(now), factor: body.factor })
  })
  if (attested === null) throw problem('MELMASTOON.IAM.MFA_FAILED')
  return attested
}

interface Attempt {
  readonly tenantId: TenantId
  readonly body: Body
  readonly now: Date
}

/** The session of another operator or device does not exist for this attempt. */
async function checkSession(tx: Tx, { tenantId, body, now }: Attempt): Promise<void> {
  const [session] = await tx.query(selectSession(idToUuid(tenantId), idToUuid(body.sessionId)))
  const isOwn =
    session !== undefined &&
    session.operator_id === idToUuid(body.operatorId) &&
    session.device_id === idToUuid(body.deviceId) &&
    session.revoked_at === null &&
    session.expires_at > now
  if (!isOwn) throw problem('MELMASTOON.IAM.SESSION_NOT_FOUND')
}

async function lock(tx: Tx, tenantId: TenantId, { operatorId }: Body): Promise<CredentialRow> {
  const [row] = await tx.query(lockCredential(idToUuid(tenantId), idToUuid(operatorId)))
  if (row === undefined) throw problem('MELMASTOON.IAM.SESSION_NOT_FOUND')
  return row
}

/** The last accepted TOTP step afterwards; null when the factor is wrong. */
async function verifyFactor(
  tx: Tx,
  credential: CredentialRow,
  attempt: Attempt,
): Promise<number | null> {
  const { totp_secret: secret, totp_last_step: lastStep } = credential
  const { factor, code } = attempt.body
  if (factor === 'totp') {
    if (secret === null || code === undefined) return null
    return verifyTotp({ secret, code, now: attempt.now, lastStep })
  }
  return (await isSigned(tx, credential, attempt)) ? lastStep : null
}

async function isSigned(
  tx: Tx,
  { authenticator_jwk: jwk }: CredentialRow,
  { tenantId, body, now }: Attempt,
): Promise<boolean> {
  const { challengeId, assertion } = body
  if (jwk === null || challengeId === undefined || assertion === undefined) return false
  const key = {
    tenant: idToUuid(tenantId),
    challengeId: idToUuid(challengeId),
    operator: idToUuid(body.operatorId),
    device: idToUuid(body.deviceId),
  }
  const [used] = await tx.query(useChallenge(key, now))
  if (used === undefined) return false
  const expected = challengeText({ ...body, tenantId, challengeId })
  return verifyAssertion({ jwk, stored: used.challenge, expected, signature: assertion })
}
