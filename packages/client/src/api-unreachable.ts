export type UnreachableReason = 'network' | 'deadline'

/**
 * No response arrived: whether the request took effect is unknown, so the error carries the key.
 */
export class ApiUnreachable extends Error {
  override readonly name = 'ApiUnreachable'
  readonly reason: UnreachableReason
  readonly idempotencyKey: string | null

  constructor(
    reason: UnreachableReason,
    options: { readonly idempotencyKey: string | null; readonly cause: unknown },
  ) {
    super(reason === 'deadline' ? 'No response in time' : 'No connection', { cause: options.cause })
    this.reason = reason
    this.idempotencyKey = options.idempotencyKey
  }
}
