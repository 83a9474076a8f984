import { type BlockedTenants, createBlockedTenants } from '@melmastoon/bff/tenants'
import { createBus, type EventBus } from '@melmastoon/chassis/bus'
import { type Cache, createCache } from '@melmastoon/chassis/cache'
import { type Clock, systemClock } from '@melmastoon/chassis/clock'
import type { Database } from '@melmastoon/chassis/db'
import {
  createIdempotency,
  createReplayShortcut,
  type IdempotencyStore,
} from '@melmastoon/chassis/idempotency'
import { TelemetryBatcher } from '@melmastoon/chassis/outbox'
import type { Redis } from '@melmastoon/chassis/redis'
import type { SessionStore } from '@melmastoon/chassis/sessions'
import {
  cacheMetrics,
  type ErrorReporter,
  type Logger,
  type Metrics,
  sectionMetrics,
  type Tracer,
  telemetryMetrics,
} from '@melmastoon/chassis/telemetry'
import type { ReportSection } from '@melmastoon/chassis/upstream'
import { KeyedHash, KeyRing } from '@melmastoon/security'
import { LRUCache } from 'lru-cache'
import { BackgroundWork } from './background/background-work.ts'
import type { BotOverrides, Bots } from './bots/bots.ts'
import { createBots } from './bots/create-bots.ts'
import { type Caches, defineCaches } from './caches.ts'
import { type CardMemory, createCardMemory } from './cards/card-memory.ts'
import type { ConsumerConfig } from './config.ts'
import { createBase } from './create-base.ts'
import { registry } from './events/registry.ts'
import { type ConsumerFlags, createConsumerFlags } from './flags.ts'
import { createLimits, type Limits, type PolicyOverrides } from './limits/create-limits.ts'
import { createMeasures, type Measures } from './measures.ts'
import { CONSUMER_SCHEMA } from './migrations.ts'
import { createPlaces, type Places } from './places/remember-places.ts'
import type { RecentSearch } from './search/identify-search.ts'
import { createSearchSessions, type SearchSessions } from './search/search-session.ts'
import {
  createGuestSessions,
  type GuestSession,
  type SessionLives,
} from './sessions/guest-session.ts'
import { createSeenLately, type SeenLately } from './telemetry/first-within.ts'
import { GuestLanes } from './telemetry/guest-lanes.ts'
import { createUpstreams, type Upstreams } from './upstreams/create-upstreams.ts'
import { Turns } from './wishlist/turns.ts'

const RECENT_SEARCHES_MAX = 20_000

export interface ConsumerContext extends Caches, AsyncDisposable {
  readonly config: ConsumerConfig
  readonly clock: Clock
  readonly logger: Logger
  readonly metrics: Metrics
  readonly measures: Measures
  readonly tracer: Tracer
  readonly registry: typeof registry
  readonly errors: ErrorReporter
  /** Takes the reason why a section of a page failed. */
  readonly reportSection: ReportSection
  readonly db: Database
  readonly relayDb: Database
  readonly sessionRedis: Redis
  readonly cacheRedis: Redis
  readonly bus: EventBus
  readonly flags: ConsumerFlags
  readonly hashes: KeyedHash
  readonly handoffKeys: KeyRing
  readonly telemetry: TelemetryBatcher
  readonly background: BackgroundWork
  readonly lanes: GuestLanes
  readonly seenLately: SeenLately
  readonly cache: Cache
  readonly blocked: BlockedTenants
  readonly places: Places
  readonly cards: CardMemory
  readonly sessions: SessionStore<GuestSession>
  readonly idempotency: IdempotencyStore
  readonly searchSessions: SearchSessions
  readonly recentSearches: LRUCache<string, RecentSearch>
  readonly limits: Limits
  readonly bots: Bots
  readonly wishlistTurns: Turns
  readonly upstreams: Upstreams
}

/** What tests and benchmarks may want otherwise. */
export interface ContextOverrides {
  readonly clock?: Clock
  readonly policies?: PolicyOverrides
  readonly bots?: BotOverrides
  readonly pageFreshMs?: number
  readonly sessionLives?: SessionLives
  readonly flagPollMs?: number
  /** How many bytes of pages this process keeps beside Redis. */
  readonly l1MaxBytes?: number
  readonly halfOpenAfterMs?: number
  /** How long a stopping listener says so before it refuses; only tests are in a hurry. */
  readonly announceMs?: number
}

/** The composition root: every collaborator, built once, in the order they need each other. */
export function createContext(
  config: ConsumerConfig,
  overrides: ContextOverrides = {},
): ConsumerContext {
  const { clock = systemClock } = overrides
  const base = createBase(config)
  const { metrics, errors, db, sessionRedis, cacheRedis } = base
  const measures = createMeasures(metrics)
  const bus = createBus(config, sessionRedis, metrics)
  const flags = createConsumerFlags(cacheRedis, metrics, overrides.flagPollMs)
  const telemetry = new TelemetryBatcher({
    db,
    onError: errors.for('telemetry'),
    ...telemetryMetrics(metrics),
  })
  const onDropped = () => measures.backgroundDropped.inc({})
  const background = new BackgroundWork({ onError: errors.for('background-work'), onDropped })
  const cache = createCache({
    redis: cacheRedis,
    versions: sessionRedis,
    clock,
    metrics: cacheMetrics(metrics, errors),
    ...(overrides.l1MaxBytes !== undefined && { l1MaxBytes: overrides.l1MaxBytes }),
  })
  const blocked = createBlockedTenants({
    redis: sessionRedis,
    keyPrefix: 'consumer',
    onError: errors.for('blocked-tenants'),
    onCount: (count) => measures.blockedTenants.set({}, count),
  })
  const { halfOpenAfterMs } = overrides
  const hashes = new KeyedHash(KeyRing.parse(config.secrets.peppers.reveal()))
  const bots = createBots(config, { ...base, clock, hashes, measures, overrides })
  const upstreams = createUpstreams(config, { ...base, halfOpenAfterMs })
  return {
    ...base,
    config,
    clock,
    measures,
    reportSection: sectionMetrics(metrics, errors),
    registry,
    bus,
    flags,
    hashes,
    handoffKeys: KeyRing.parse(config.secrets.handoffKeys.reveal()),
    telemetry,
    background,
    lanes: new GuestLanes(background),
    seenLately: createSeenLately(clock),
    cache,
    ...defineCaches(cache, flags, overrides),
    blocked,
    places: createPlaces(),
    cards: createCardMemory(),
    sessions: createGuestSessions(sessionRedis, overrides.sessionLives),
    idempotency: createLedger(config, base),
    searchSessions: createSearchSessions(sessionRedis),
    recentSearches: new LRUCache({ max: RECENT_SEARCHES_MAX }),
    limits: createLimits(cacheRedis, metrics, overrides),
    bots,
    wishlistTurns: new Turns(),
    upstreams,
    async [Symbol.asyncDispose]() {
      flags[Symbol.dispose]()
      cache[Symbol.dispose]()
      blocked[Symbol.dispose]()
      await background[Symbol.asyncDispose]()
      await bots[Symbol.asyncDispose]()
      await telemetry[Symbol.asyncDispose]()
      await bus[Symbol.asyncDispose]()
      await base[Symbol.asyncDispose]()
      await upstreams[Symbol.asyncDispose]()
    },
  }
}

function createLedger(
  { secrets }: ConsumerConfig,
  { db, metrics, cacheRedis, errors }: ReturnType<typeof createBase>,
): IdempotencyStore {
  return createIdempotency({
    db,
    schema: CONSUMER_SCHEMA,
    secret: Buffer.from(secrets.idempotency.reveal()),
    metrics,
    shortcut: createReplayShortcut({
      redis: cacheRedis,
      onError: errors.for('replay-shortcut'),
    }),
  })
}
