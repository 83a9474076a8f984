import { idToUuid, problem, type TenantId } from '@melmastoon/domain'
import { type IssuedTokens, iamContract, type Jwks } from '@melmastoon/upstream-contracts/iam'
import type { ModuleHost, ServedModule } from '../../module.ts'
import { attest } from './attest.ts'
import { selectCredential } from './credential-sql.ts'
import { REFRESH_RULES } from './decide-refresh.ts'
import type { IamHost, IamOperations, Siblings } from './iam.ts'
import { listDevices } from './list-devices.ts'
import { type ActiveSession, readActiveSessions } from './list-sessions.ts'
import { createChallenge } from './mfa-challenge.ts'
import { refreshSession } from './refresh-session.ts'
import { readSession, revokeSession } from './sessions.ts'
import { type SignInRequest, signIn } from './sign-in.ts'
import { signOutDisabled } from './sign-out-disabled.ts'
import { readJwks, rotateKeys } from './signing-keys.ts'

export type { ActiveSession } from './list-sessions.ts'
export type { SignInRequest } from './sign-in.ts'

export interface IamModule extends ServedModule<IamOperations> {
  signIn(request: SignInRequest, causeFor: Parameters<typeof signIn>[2]): Promise<IssuedTokens>
  jwks(): Promise<Jwks>
  /** For simulations. */
  rotateKeys(): Promise<{ kid: string }>
  /** The newest first. */
  activeSessions(tenantId: TenantId): Promise<readonly ActiveSession[]>
}

/** Staff sign-in: devices, sessions, access tokens and second factors. */
export function createIamModule(moduleHost: ModuleHost, siblings: Siblings): IamModule {
  const host: IamHost = { ...moduleHost, ...siblings, refreshRules: REFRESH_RULES }
  const { db } = host
  return {
    contract: iamContract,
    signIn: (request, causeFor) => signIn(host, request, causeFor),
    jwks: () => readJwks(host),
    rotateKeys: () => rotateKeys(host),
    activeSessions: (tenantId) => readActiveSessions(host, tenantId),
    subscriptions: [signOutDisabled(host)],
    handlers: {
      jwks: () => readJwks(host),
      refresh: ({ body }, { cause }) => refreshSession(host, body, cause),
      validateSession: ({ params, query }, { tenantId }) =>
        readSession(host, { tenantId, ...params }, query.jkt),
      revokeSession: (input, call) => revokeSession(host, input, call),
      factors: async ({ params }, { tenantId }) => {
        const statement = selectCredential(idToUuid(tenantId), idToUuid(params.operatorId))
        const [row] = await db.tenantQuery(tenantId, statement)
        if (row === undefined) throw problem('MELMASTOON.IAM.OPERATOR_NOT_FOUND')
        const { authenticator_jwk: authenticator, totp_secret: totp } = row
        return {
          factors: [
            ...(authenticator === null ? [] : (['signed_challenge'] as const)),
            ...(totp === null ? [] : (['totp'] as const)),
          ],
        }
      },
      createMfaChallenge: (input, call) => createChallenge(host, input, call),
      attest: (input, call) => attest(host, input, call),
      listDevices: ({ query }, { tenantId }) => listDevices(db, tenantId, query),
    },
  }
}
