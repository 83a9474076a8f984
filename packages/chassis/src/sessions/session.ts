import type { Id, IdPrefix } from '@melmastoon/domain'
import type { KeyRing } from '@melmastoon/security'
import type { Clock } from '../clock/index.ts'
import type { KeyPrefix, Redis, ScriptArgument } from '../redis/index.ts'

export interface Session<T, P extends IdPrefix = IdPrefix> {
  readonly id: Id<P>
  /** 0 while nothing is stored for this session (P18). */
  readonly version: number
  readonly data: T
}

export interface StartedSession<T, P extends IdPrefix = IdPrefix> {
  readonly session: Session<T, P>
  readonly cookieValue: string
}

/**
 * `unavailable`: the cookie is genuine, but the store cannot be read. The data is that of a new
 * session with this request, and a session that was cleared is not recognized (D22, D25).
 */
export type SessionLookup<T, P extends IdPrefix = IdPrefix> =
  | { kind: 'found'; session: Session<T, P> }
  | { kind: 'none' }
  | { kind: 'unavailable'; session: Session<T, P> }

export interface SessionStoreOptions<T, P extends IdPrefix> {
  redis: Redis
  /** Keys that derive the secret part of cookies: the active one issues, the others verify. */
  keys: KeyRing
  idPrefix: P
  /** The key of a record is this prefix and the SHA-256 of the session id. */
  keyPrefix: KeyPrefix
  /**
   * Sliding for stored sessions: every read that reaches Redis extends it. A session that was never
   * stored ends this long after it was started.
   */
  ttlSeconds: number
  /** Parses the stored value; null when it is invalid: such a session is treated as absent. */
  parse: (value: unknown) => T | null
  /**
   * How long a process may use its copy without knowing whether it changed: the longest time in
   * which a change by another process takes effect. Usually it is notified immediately.
   */
  memoryMs?: number
  /** How long it may use its copy while notifications are received. By default a minute. */
  confirmedMemoryMs?: number
  clock?: Clock
}

/** A presented cookie with the data of its request. */
export interface PresentedCookie<T, P extends IdPrefix> {
  readonly value: string
  /** Empty where sessions belong to no tenant. A cookie of another tenant is no session (D26). */
  readonly tenantId?: string
  /** The data of a session for which nothing is stored. */
  readonly initialData: (id: Id<P>) => T
  /** What it depends on besides the id, if it is to be called once for the same values. */
  readonly initialFrom?: readonly unknown[]
  /**
   * Called before Redis is read: what else the request needs can be requested at the same time.
   */
  readonly onRead?: (id: Id<P>) => void
}

/**
 * A script on keys of one session, which never runs once the session is cleared: so nothing of a
 * session is written after that.
 */
export interface AttachmentDefinition {
  readonly name: string
  /** Its keys are `KEYS[2]` and following, its arguments `args[1]` and following. */
  readonly lua: string
  /** Without that of the session. */
  readonly numberOfKeys: number
}

/** As `defineAttachment` returns it. */
export interface Attachment {
  readonly name: string
}

export interface AttachedWrite {
  readonly attachment: Attachment
  /** Each contains `slotOf` the session. */
  readonly keys: readonly string[]
  readonly args: readonly ScriptArgument[]
}

export interface SessionStore<T, P extends IdPrefix = IdPrefix> {
  /** Without I/O: nothing is stored until the session has content. */
  start(data: T, tenantId?: string): StartedSession<T, P>
  /** Stores a session that was just started. */
  store(session: Session<T, P>): Promise<Session<T, P>>
  /** The cookie of a session, issued with the active key. */
  cookieValueOf(session: Session<T, P>, tenantId?: string): string
  /** Synchronous: null when this process has no fresh copy of the session. */
  loadNow(cookie: PresentedCookie<T, P>): Session<T, P> | null
  load(cookie: PresentedCookie<T, P>): Promise<SessionLookup<T, P>>
  /**
   * The newest version; null when the session was cleared or has expired. For work after the
   * response: its life is not extended.
   */
  reload(session: Session<T, P>): Promise<Session<T, P> | null>
  /** By the id alone: null when nothing is stored. */
  find(id: Id<P>): Promise<Session<T, P> | null>
  /**
   * Changes the newest version, again after a conflict; null when the session was cleared or has
   * expired. Where nothing is stored, the change starts from the given data. A change that returns
   * its argument unchanged writes nothing. A change must not wait for another one of its session.
   */
  update(session: Session<T, P>, change: (data: T) => T | Promise<T>): Promise<Session<T, P> | null>
  defineAttachment(definition: AttachmentDefinition): Attachment
  /** @returns false when the session was cleared. */
  attach(id: Id<P>, attached: AttachedWrite): Promise<boolean>
  /** The hash tag of other keys of the session: on a cluster they are in its slot (D21). */
  slotOf(id: Id<P>): string
  /**
   * Deletes the record and leaves a tombstone until the cookie would have expired.
   * @returns the last stored version; null when nothing was stored.
   */
  clear(id: Id<P>): Promise<Session<T, P> | null>
}
