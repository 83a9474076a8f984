import { fromUpstreamRejection, UpstreamRejection } from '@melmastoon/chassis/upstream'
import { isProblem, type ProblemCode, problem } from '@melmastoon/domain'

/** For `catch`: an upstream's 404 means that the resource does not exist; other errors remain. */
export function asAbsent(error: unknown): null {
  if (error instanceof UpstreamRejection && error.status === 404) return null
  return asRejectedRequest(error)
}

/** For `catch` after operations whose contract allows no 4xx: one is not the client's error. */
export function asRejectedRequest(error: unknown): never {
  if (!(error instanceof UpstreamRejection)) throw error
  throw fromUpstreamRejection(error)
}

/** For `catch`: an exceeded request deadline under the service's own code. */
export function budgetExceededAs(code: ProblemCode): (error: unknown) => never {
  return (error) => {
    if (isProblem(error) && error.code === 'MELMASTOON.GENERAL.DEADLINE_EXCEEDED') {
      throw problem(code, { cause: error })
    }
    throw error
  }
}
