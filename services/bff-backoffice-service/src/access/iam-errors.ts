import { asRejectedRequest } from '@melmastoon/bff/upstreams'
import { UpstreamRejection } from '@melmastoon/chassis/upstream'
import { type ProblemCode, problem } from '@melmastoon/domain'

/**
 * For `catch`: these rejections of iam are for the client, as is the end of the session; another
 * one is an error of ours.
 */
export function asIamProblem(codes: readonly ProblemCode[]): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof UpstreamRejection)) throw error
    if (error.code === 'MELMASTOON.IAM.SESSION_NOT_FOUND') {
      throw problem('MELMASTOON.SESSION.REVOKED', { cause: error })
    }
    const code = codes.find((candidate) => candidate === error.code)
    if (code === undefined) return asRejectedRequest(error)
    throw problem(code, { cause: error, retryAfterSeconds: retryAfterOf(error.document) })
  }
}

function retryAfterOf(document: unknown): number | undefined {
  if (typeof document !== 'object' || document === null) return undefined
  const { retryAfter } = document as { readonly retryAfter?: unknown }
  return typeof retryAfter === 'number' ? retryAfter : undefined
}
