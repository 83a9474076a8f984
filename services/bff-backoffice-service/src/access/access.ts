import type { Deadline } from '@melmastoon/chassis/clock'
import type { TraceContext } from '@melmastoon/chassis/telemetry'
import type { Operator } from './operator.ts'

/** The parts of a request that authenticate it. */
export interface PresentedCredentials {
  readonly authorization: string | undefined
  /** All values of the `DPoP` header as received. */
  readonly proof: readonly string[]
  readonly deviceId: string | undefined
  /** Of the client; failures are limited by it. */
  readonly address: string
  readonly method: string
  /** Below the base of the API, with a leading slash and without the query. */
  readonly path: string
  /** Reads may proceed without Redis, once iam has confirmed the session. */
  readonly isRead: boolean
  readonly deadline: Deadline
  readonly trace: TraceContext
}

export interface Access {
  /**
   * In this order: shape, token, the twelve checks of the proof, replay, session. Role and property
   * are checked by the caller.
   * @throws Problem with the headers of RFC 9449 §7.1
   */
  authenticate(credentials: PresentedCredentials): Promise<Operator>
  /** For `DPoP-Nonce`, sent with every response. */
  nonce(): string
}
