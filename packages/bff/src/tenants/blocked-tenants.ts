import { randomUUID } from 'node:crypto'
import type { Cache } from '@melmastoon/chassis/cache'
import { type Clock, everyTick, systemClock } from '@melmastoon/chassis/clock'
import {
  channelOf,
  createSubscriber,
  defineScript,
  type KeySpace,
  type Redis,
  type Script,
} from '@melmastoon/chassis/redis'
import type { TenantId } from '@melmastoon/domain'

export interface TenantDecision {
  readonly blocked: boolean
  /** When the tenant service decided it: older decisions have no effect. */
  readonly decidedAtMs: number
}

/** Suspended tenants, excluded from every response that is composed from now on. */
export interface BlockedTenants extends Disposable {
  has(tenantId: TenantId): boolean
  /**
   * Loads the decisions of other processes. Never fails: without Redis the known decisions apply,
   * and the search projection, which receives the same events, is the second guard (D22).
   */
  refresh(): Promise<void>
  /**
   * The same for what is composed and then cached: does nothing within 200 ms of the last time,
   * unless something was invalidated since. See `InvalidatedTags`.
   */
  refreshIfOld(): Promise<void>
  /** Known to all processes once it resolves; rejects when it could not be recorded. */
  decide(tenantId: TenantId, decision: TenantDecision): Promise<void>
}

export interface BlockedTenantsOptions {
  /** The instance without eviction. */
  readonly redis: Redis
  /** Prefix of the keys: services on one Redis do not share their decisions. */
  readonly keys: KeySpace
  readonly onError: (error: unknown) => void
  readonly onCount: (count: number) => void
  readonly pollMs?: number
  readonly clock?: Clock
  /** Without them `refreshIfOld` always reads. */
  readonly invalidated?: InvalidatedTags
}

/**
 * Tags of everything that is composed after `refreshIfOld`: a suspension is decided first, and then
 * invalidates them. While their versions are those of the last read, a decision that came after it
 * has not invalidated them yet, as far as this process knows. So what is composed without that
 * decision is cached under the versions that it is about to invalidate.
 */
export interface InvalidatedTags {
  readonly cache: Pick<Cache, 'stamp' | 'isCurrent'>
  readonly tags: readonly string[]
}

interface RecentRead {
  readonly startedAtMs: number
  /** Of the time before the read. */
  readonly stamp: ReturnType<Cache['stamp']>
  readonly done: Promise<void>
}

const RECENT_MS = 200

const DECIDE_LUA = `
local old = redis.call('HGET', KEYS[1], ARGV[1])
if old and tonumber(string.match(old, '^%d+')) > tonumber(ARGV[2]) then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2] .. ' ' .. ARGV[3])
redis.call('SET', KEYS[2], ARGV[5])
redis.call('PUBLISH', ARGV[4], ARGV[1])
return 1
`

export function createBlockedTenants(options: BlockedTenantsOptions): BlockedTenants {
  return new SharedDecisions(options)
}

class SharedDecisions implements BlockedTenants {
  readonly #options: BlockedTenantsOptions
  readonly #script: Script
  readonly #channel: string
  /** A hash with one field per tenant that was ever suspended: when, and whether it still is. */
  readonly #decisionsKey: string
  /** A random value after each change. A counter could repeat in a store that lost its data. */
  readonly #changesKey: string
  readonly #polls: Disposable
  #decisions: Decisions = new Map()
  #changes: string | null = null
  #lastRead: RecentRead | null = null

  constructor(options: BlockedTenantsOptions) {
    const { redis, keys, pollMs = 1_000 } = options
    const prefix = keys.prefix('blocked-tenants')
    this.#options = options
    this.#decisionsKey = `${prefix}{tenants}`
    this.#changesKey = `${this.#decisionsKey}:changes`
    this.#script = defineScript(redis, { name: 'block-tenant', lua: DECIDE_LUA, numberOfKeys: 2 })
    this.#channel = channelOf(redis, prefix, 'changed')
    const refresh = () => void this.refresh()
    createSubscriber(redis)
      .subscribe(this.#channel, { onMessage: refresh, onReconnect: refresh })
      .catch(options.onError)
    // A broadcast may be lost; polling costs one small read while nothing changes.
    this.#polls = everyTick(pollMs, refresh)
    refresh()
  }

  has(tenantId: TenantId): boolean {
    return this.#decisions.get(tenantId)?.blocked === true
  }

  refresh(): Promise<void> {
    const { clock = systemClock, invalidated } = this.#options
    const startedAtMs = clock.monotonicMs()
    const stamp = invalidated?.cache.stamp(invalidated.tags)
    const done = this.#read()
    this.#lastRead = { startedAtMs, stamp, done }
    return done
  }

  refreshIfOld(): Promise<void> {
    const { clock = systemClock, invalidated } = this.#options
    const last = this.#lastRead
    if (last?.stamp === undefined || !invalidated?.cache.isCurrent(last.stamp)) {
      return this.refresh()
    }
    return clock.monotonicMs() - last.startedAtMs < RECENT_MS ? last.done : this.refresh()
  }

  async #read(): Promise<void> {
    const { redis, onError } = this.#options
    try {
      const changes = await redis.get(this.#changesKey)
      if (changes === this.#changes) return
      const stored = parseDecisions(await redis.hgetall(this.#decisionsKey))
      await this.#restore(stored)
      this.#adopt(stored)
      this.#changes = changes
    } catch (error) {
      this.#lastRead = null
      onError(error)
    }
  }

  async decide(tenantId: TenantId, decision: TenantDecision): Promise<void> {
    await this.#record(tenantId, decision)
    await this.refresh()
  }

  [Symbol.dispose](): void {
    this.#polls[Symbol.dispose]()
  }

  async #record(tenantId: string, { blocked, decidedAtMs }: TenantDecision): Promise<void> {
    const state = blocked ? 'blocked' : 'free'
    const args = [tenantId, decidedAtMs, state, this.#channel, randomUUID()]
    await this.#script.run([this.#decisionsKey, this.#changesKey], args)
  }

  /** Decisions are only ever superseded: one that the store lacks, or has older, was lost there. */
  async #restore(stored: Decisions): Promise<void> {
    for (const [tenantId, decision] of this.#decisions) {
      if (isLater(decision, stored.get(tenantId))) await this.#record(tenantId, decision)
    }
  }

  #adopt(stored: Decisions): void {
    const newer = [...this.#decisions].filter(([id, decision]) => isLater(decision, stored.get(id)))
    this.#decisions = new Map([...stored, ...newer])
    this.#options.onCount([...this.#decisions.values()].filter(({ blocked }) => blocked).length)
  }
}

type Decisions = ReadonlyMap<string, TenantDecision>

function isLater({ decidedAtMs }: TenantDecision, other: TenantDecision | undefined): boolean {
  return other === undefined || decidedAtMs > other.decidedAtMs
}

function parseDecisions(fields: Readonly<Record<string, string>>): Decisions {
  return new Map(Object.entries(fields).map(([id, field]) => [id, parseDecision(field)]))
}

function parseDecision(field: string): TenantDecision {
  const [decidedAt = '', state] = field.split(' ')
  return { decidedAtMs: Number(decidedAt), blocked: state === 'blocked' }
}

interface TenantItems {
  readonly total: number
  readonly items: readonly { readonly tenantId: TenantId }[]
}

/** Search results without blocked tenants: the projection receives a suspension slightly later. */
export function withoutBlocked<F extends TenantItems>(
  { blocked }: { readonly blocked: Pick<BlockedTenants, 'has'> },
  found: F,
): F {
  const items = found.items.filter(({ tenantId }) => !blocked.has(tenantId))
  const hidden = found.items.length - items.length
  return hidden === 0 ? found : { ...found, items, total: Math.max(0, found.total - hidden) }
}
