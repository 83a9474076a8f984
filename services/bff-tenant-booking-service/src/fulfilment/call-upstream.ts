import { UpstreamRejection } from '@melmastoon/chassis/upstream'
import { isProblem } from '@melmastoon/domain'

/**
 * The result of a call that changes something. `unknown`: a timeout, a failure, a response outside
 * its schema, or a rejection the contract does not list. It may have landed or not, so the only
 * safe action is to repeat it with the same key, or to read.
 */
export type CallResult<T, C extends string> =
  | { readonly kind: 'ok'; readonly value: T }
  | { readonly kind: 'rejected'; readonly code: C }
  | { readonly kind: 'unknown'; readonly reason: string }

/** @param codes the definite rejections of this step. */
export async function callUpstream<T, const C extends string>(
  codes: readonly C[],
  call: () => Promise<T>,
): Promise<CallResult<T, C>> {
  try {
    return { kind: 'ok', value: await call() }
  } catch (error) {
    const code = error instanceof UpstreamRejection ? error.code : undefined
    const definite = codes.find((each) => each === code)
    if (definite !== undefined) return { kind: 'rejected', code: definite }
    return { kind: 'unknown', reason: reasonOf(error) }
  }
}

/** A code for logs and `last_error`; never the text of a response. */
function reasonOf(error: unknown): string {
  if (error instanceof UpstreamRejection) return error.code ?? `status ${error.status}`
  if (isProblem(error)) return error.code
  return error instanceof Error ? error.name : 'error'
}
