import type { Deadline } from '@melmastoon/chassis/clock'
import type { TraceContext } from '@melmastoon/chassis/telemetry'
import type { Id, TenantId } from '@melmastoon/domain'
import type { GrantedScope, Operator } from './operator.ts'
import type { DeviceRef, SessionRecord } from './session-records.ts'

/** A proof of possession (RFC 9449) and the request that it is for. */
export interface PresentedProof {
  /** All values of the `DPoP` header as received. */
  readonly proof: readonly string[]
  readonly method: string
  /** Below the base of the API, with a leading slash and without the query. */
  readonly path: string
  /** Of the client; failures are limited by it. */
  readonly address: string
}

/** The parts of a request that authenticate it. */
export interface PresentedCredentials extends PresentedProof {
  readonly authorization: string | undefined
  readonly deviceId: string | undefined
  /** Reads may proceed without Redis, once iam has confirmed the session. */
  readonly isRead: boolean
  readonly deadline: Deadline
  readonly trace: TraceContext
}

export type SessionEndListener = (sessionId: Id<'bos'>) => void

export interface Access {
  /**
   * In this order: shape, token, the twelve checks of the proof, replay, session. Role and property
   * are checked by the caller.
   * @throws Problem of 401, 429 or 503
   */
  authenticate(credentials: PresentedCredentials): Promise<Operator>
  /**
   * For requests without an access token: the thumbprint of the key that the sender has. `work` is
   * done with it, and its failures count as failures of the address.
   */
  withDeviceKey<T>(presented: PresentedProof, work: (jkt: string) => Promise<T>): Promise<T>
  /**
   * Whether the operator still has all roles and properties of this object, which was made by an
   * earlier request. Rejects when the record is neither cached nor can be read.
   */
  isAllowedNow(tenantId: TenantId, scope: GrantedScope): Promise<boolean>
  /** Reads the state of the replay store, so that the first nonce is valid. */
  prepare(): Promise<void>
  /** For `DPoP-Nonce`, sent with every response. */
  nonce(): string
  /** Rejects the session from now on, in all processes. Rejects while Redis is unavailable. */
  endSession(sessionId: Id<'bos'>): Promise<void>
  /** Also finds one that has ended in the last minutes; null otherwise. */
  findSession(sessionId: Id<'bos'>): Promise<SessionRecord | null>
  /** The session that was used last on this device, while it is open. */
  findSessionOfDevice(device: DeviceRef): Promise<SessionRecord | null>
  /**
   * Of sessions that end while this process runs. A message may be lost: a holder of a long
   * connection also calls `findEnded`. Returns a function that removes the listener.
   */
  onSessionEnded(listener: SessionEndListener): () => void
  /** Which of these sessions have ended. Rejects while Redis is unavailable. */
  findEnded(sessionIds: readonly Id<'bos'>[]): Promise<Id<'bos'>[]>
}
