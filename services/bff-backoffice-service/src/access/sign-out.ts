import { asAbsent, type ClientOf, type UpstreamCall } from '@melmastoon/bff/upstreams'
import type { iamContract } from '@melmastoon/upstream-contracts/iam'
import type { Access } from './access.ts'
import type { Operator } from './operator.ts'

export interface SignOutDeps {
  readonly access: Pick<Access, 'endSession'>
  readonly upstreams: { readonly iam: Pick<ClientOf<typeof iamContract>, 'revokeSession'> }
}

/**
 * iam first: a session that ended only here could not repeat the request, and its refresh token
 * would stay valid.
 */
export async function signOut(
  { access, upstreams }: SignOutDeps,
  { tenantId, sessionId }: Pick<Operator, 'tenantId' | 'sessionId'>,
  call: UpstreamCall & { readonly idempotencyKey: string },
): Promise<void> {
  const { deadline, trace, idempotencyKey } = call
  const options = { tenantId, deadline, trace, idempotencyKey }
  const body = { reasonCode: 'signed_out' }
  await upstreams.iam.revokeSession({ params: { sessionId }, body }, options).catch(asAbsent)
  await access.endSession(sessionId)
}
