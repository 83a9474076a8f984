import { type Id, type IdPrefix, idTimeMs, isProblem, newId, problem } from '@melmastoon/domain'
import { SessionCookies } from '@melmastoon/security'
import { type Clock, everyTick, systemClock } from '../clock/index.ts'
import { channelOf, createSubscriber, type Subscription } from '../redis/index.ts'
import { ChangeQueue } from './change-queue.ts'
import { InitialSessions } from './initial-sessions.ts'
import type {
  AttachedWrite,
  Attachment,
  AttachmentDefinition,
  PresentedCookie,
  Session,
  SessionLookup,
  SessionStore,
  SessionStoreOptions,
  StartedSession,
} from './session.ts'
import { createSessionMemory, type SessionMemory } from './session-memory.ts'
import { createSessionRecords, type SessionRecords, type StoredSession } from './session-records.ts'

/** Each lost one is a change by another process, or the first attempt of a later change. */
const UPDATE_TRIES_MAX = 32
const MEMORY_MS = 2_000
const CONFIRMED_MEMORY_MS = 60_000
/** Often enough for a confirmation not to be missed by a process that is briefly busy. */
const CONFIRM_EVERY_MS = 500
/** Longer than any request: none that began before the clearing stores the session again. */
const TOMBSTONE_MIN_SECONDS = 3_600

type Change<T> = (data: T) => T | Promise<T>

/** A version to change, and which stored version the result replaces. */
interface Base<T, P extends IdPrefix> {
  readonly session: Session<T, P>
  readonly replaced: number | null
}

export function createSessionStore<T, P extends IdPrefix>(
  options: SessionStoreOptions<T, P>,
): SessionStore<T, P> {
  return new RedisSessionStore(options)
}

/**
 * Sessions; Redis stores only those with content (P18). The cookie alone proves the session (D25);
 * a record adds its data, a tombstone ends it before it expires.
 */
class RedisSessionStore<T, P extends IdPrefix> implements SessionStore<T, P> {
  readonly #options: SessionStoreOptions<T, P>
  readonly #clock: Clock
  readonly #cookies: SessionCookies<P>
  readonly #records: SessionRecords<T, P>
  /** Data is null for a session for which nothing is stored. */
  readonly #memory: SessionMemory<T | null, P>
  readonly #initial = new InitialSessions<T, P>()
  readonly #retries = new ChangeQueue()

  constructor(options: SessionStoreOptions<T, P>) {
    const { redis, clock = systemClock, memoryMs = MEMORY_MS } = options
    const { confirmedMemoryMs = options.memoryMs ?? CONFIRMED_MEMORY_MS } = options
    const channel = channelOf(redis, options.keyPrefix, 'changed')
    this.#options = options
    this.#clock = clock
    this.#cookies = new SessionCookies(options.keys, options.idPrefix)
    this.#records = createSessionRecords({ ...options, channel })
    this.#memory = createSessionMemory({ clock, memoryMs, confirmedMemoryMs })
    const listener = {
      onMessage: (message: string) => this.#onChange(message),
      onReconnect: () => this.#memory.clear(),
    }
    createSubscriber(redis)
      .subscribe(channel, listener)
      .then((subscription) => this.#confirmRegularly(subscription))
      .catch(() => undefined)
  }

  start(data: T, tenantId?: string): StartedSession<T, P> {
    const session = { id: newId(this.#options.idPrefix), version: 0, data }
    return { session, cookieValue: this.#cookies.issue(session.id, tenantId) }
  }

  async store(session: Session<T, P>): Promise<Session<T, P>> {
    const stored = { ...session, version: session.version + 1 }
    const result = await this.#write(stored, null)
    if (result !== 'written') throw problem('MELMASTOON.GENERAL.CONFLICT')
    return stored
  }

  cookieValueOf({ id }: Session<T, P>, tenantId?: string): string {
    return this.#cookies.issue(id, tenantId)
  }

  loadNow(cookie: PresentedCookie<T, P>): Session<T, P> | null {
    const known = this.#memory.get(presentedId(cookie), memoryKeyOf(cookie))
    return known === null ? null : this.#initial.withData(known, cookie)
  }

  async load(cookie: PresentedCookie<T, P>): Promise<SessionLookup<T, P>> {
    const fresh = this.loadNow(cookie)
    if (fresh !== null) return { kind: 'found', session: fresh }
    const id = this.#cookies.verify(cookie.value, cookie.tenantId)
    if (id === null) return { kind: 'none' }
    const key = memoryKeyOf(cookie)
    cookie.onRead?.(id)
    try {
      const session = await this.#memory.fill(id, key, () => this.#read(id))
      if (session === null) return { kind: 'none' }
      return { kind: 'found', session: this.#initial.withData(session, cookie) }
    } catch (error) {
      if (!isProblem(error)) throw error
      const stale = this.#memory.getStale(id, key)
      if (stale !== null) return { kind: 'found', session: this.#initial.withData(stale, cookie) }
      return { kind: 'unavailable', session: { id, version: 0, data: cookie.initialData(id) } }
    }
  }

  async reload(session: Session<T, P>): Promise<Session<T, P> | null> {
    return this.#baseOf(await this.#records.peek(session.id), session)?.session ?? null
  }

  async find(id: Id<P>): Promise<Session<T, P> | null> {
    const stored = await this.#records.peek(id)
    return typeof stored === 'string' ? null : stored
  }

  async update(session: Session<T, P>, change: Change<T>): Promise<Session<T, P> | null> {
    // The copy in memory may be outdated: then its change conflicts, and "no change" is not sure.
    const remembered = this.#rememberedBase(session)
    const early = remembered && (await this.#attempt(remembered, change))
    if (early === 'cleared') return null
    const isSure = early !== 'conflict' && early !== remembered?.session
    if (early !== null && isSure) return early
    const changed = early === 'conflict' ? early : await this.#tryOnce(session, change)
    if (changed !== 'conflict') return changed
    return await this.#retries.run(session.id, () => this.#tryAgain(session, change))
  }

  defineAttachment(definition: AttachmentDefinition): Attachment {
    return this.#records.defineAttachment(definition)
  }

  async attach(id: Id<P>, attached: AttachedWrite): Promise<boolean> {
    return (await this.#records.attach(id, attached)) === 'written'
  }

  slotOf(id: Id<P>): string {
    return `{${this.#records.keyOf(id)}}`
  }

  async clear(id: Id<P>): Promise<Session<T, P> | null> {
    const seconds = Math.max(this.#expiresInSeconds(id), TOMBSTONE_MIN_SECONDS)
    const last = await this.#records.clear(id, seconds)
    this.#memory.forget(id)
    return typeof last === 'string' ? null : last
  }

  #confirmRegularly(subscription: Subscription): void {
    let isPending = false
    const confirm = async () => {
      if (this.#options.redis.status === 'end') confirmations[Symbol.dispose]()
      if (isPending || this.#memory.size === 0) return
      isPending = true
      const sentAtMs = this.#clock.monotonicMs()
      if (await subscription.verify()) this.#memory.confirm(sentAtMs)
      isPending = false
    }
    this.#memory.subscribed()
    const confirmations = everyTick(CONFIRM_EVERY_MS, () => void confirm())
  }

  #onChange(message: string): void {
    const [id = '', version] = message.split(' ')
    if (version === undefined) this.#memory.forget(id)
    else this.#memory.forget(id, Number(version))
  }

  #expiresInSeconds(id: Id<P>): number {
    return this.#options.ttlSeconds - Math.floor((this.#clock.nowMs() - idTimeMs(id)) / 1_000)
  }

  async #read(id: Id<P>): Promise<Session<T | null, P> | null> {
    const stored = await this.#records.read(id)
    if (stored === 'ended') return null
    if (stored !== 'absent') return stored
    return this.#expiresInSeconds(id) > 0 ? { id, version: 0, data: null } : null
  }

  /**
   * One change of a session at a time: changes that read and write in step would all conflict but
   * one, in every round.
   */
  async #tryAgain(session: Session<T, P>, change: Change<T>): Promise<Session<T, P> | null> {
    for (let tries = 0; tries < UPDATE_TRIES_MAX; tries += 1) {
      const changed = await this.#tryOnce(session, change)
      if (changed !== 'conflict') return changed
    }
    throw problem('MELMASTOON.GENERAL.CONFLICT')
  }

  /** Null when the session was cleared or has expired. */
  async #tryOnce(session: Session<T, P>, change: Change<T>) {
    const base = this.#baseOf(await this.#records.read(session.id), session)
    const changed = base && (await this.#attempt(base, change))
    return changed === 'cleared' ? null : changed
  }

  /** Null when the session was cleared or has expired. */
  #baseOf(stored: StoredSession<T, P>, known: Session<T, P>): Base<T, P> | null {
    if (stored === 'ended') return null
    if (stored !== 'absent') return { session: stored, replaced: stored.version }
    return this.#expiresInSeconds(known.id) > 0 ? { session: known, replaced: null } : null
  }

  #rememberedBase(known: Session<T, P>): Base<T, P> | null {
    const remembered = this.#memory.find(known.id)
    if (remembered === null) return null
    const { id, version, data } = remembered
    if (data === null) return { session: known, replaced: null }
    return { session: { id, version, data }, replaced: version }
  }

  /** Returns the given version itself when nothing changes. */
  async #attempt({ session, replaced }: Base<T, P>, change: Change<T>) {
    const data = await change(session.data)
    if (data === session.data) return session
    const changed = { id: session.id, version: session.version + 1, data }
    const result = await this.#write(changed, replaced)
    return result === 'written' ? changed : result
  }

  async #write(session: Session<T, P>, replaced: number | null) {
    const result = await this.#records.write(session, replaced)
    if (result === 'written') this.#memory.renew(session)
    return result
  }
}

/** A cookie of one tenant must not be found at another (D26). */
function memoryKeyOf({ value, tenantId = '' }: { value: string; tenantId?: string }): string {
  return tenantId === '' ? value : `${tenantId} ${value}`
}

/** As the client claims it: it finds a copy only together with a verified cookie. */
function presentedId({ value }: { readonly value: string }): string {
  return value.slice(0, value.indexOf('.'))
}
