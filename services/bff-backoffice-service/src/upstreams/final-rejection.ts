import { UpstreamRejection } from '@melmastoon/chassis/upstream'

/** Not authenticated, in progress, too early or too often: at the moment only. */
const REPEATABLE: ReadonlySet<number> = new Set([401, 408, 409, 425, 429])

/** Whether an upstream would reject the same request again. */
export function isFinalRejection(error: unknown): error is UpstreamRejection {
  return error instanceof UpstreamRejection && !REPEATABLE.has(error.status)
}
