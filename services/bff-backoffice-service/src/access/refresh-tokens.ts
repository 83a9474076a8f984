import type { ClientOf, UpstreamCall } from '@melmastoon/bff/upstreams'
import type { ProblemCode } from '@melmastoon/domain'
import type { IssuedTokens, iamContract } from '@melmastoon/upstream-contracts/iam'
import { asIamProblem } from './iam-errors.ts'

export interface RefreshDeps {
  readonly upstreams: { readonly iam: Pick<ClientOf<typeof iamContract>, 'refresh'> }
}

export const REFRESH_PROBLEMS = [
  'MELMASTOON.IAM.REFRESH_INVALID',
  'MELMASTOON.IAM.REFRESH_REUSED',
] as const satisfies readonly ProblemCode[]

/**
 * Exchanges a refresh token, for the holder of the key that it is bound to. The call is not
 * repeated here: the device keeps its token until it receives the next one, and repeats it with a
 * new proof.
 * @throws Problem IAM.REFRESH_INVALID, IAM.REFRESH_REUSED, or that of an iam that is down
 */
export async function refreshTokens(
  { upstreams }: RefreshDeps,
  presented: { readonly refreshToken: string; readonly jkt: string },
  { deadline, trace }: UpstreamCall,
): Promise<IssuedTokens> {
  const { refreshToken, jkt } = presented
  return await upstreams.iam
    .refresh({ body: { refreshToken, jkt } }, { deadline, trace, retries: 0 })
    .catch(asIamProblem(REFRESH_PROBLEMS))
}
