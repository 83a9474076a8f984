import { type BlockedTenants, createBlockedTenants } from '@melmastoon/bff/tenants'
import type { Cache } from '@melmastoon/chassis/cache'
import {
  BackgroundWork,
  KeyedMutex,
  PerGuestQueue,
  RecentKeys,
} from '@melmastoon/chassis/concurrency'
import type { IdempotencyStore } from '@melmastoon/chassis/idempotency'
import type { TelemetryBatcher } from '@melmastoon/chassis/outbox'
import {
  type ServiceBase,
  type ServiceOverrides,
  serviceCache,
  serviceIdempotency,
  serviceTelemetry,
} from '@melmastoon/chassis/service'
import { sectionMetrics } from '@melmastoon/chassis/telemetry'
import type { ReportSection } from '@melmastoon/chassis/upstream'
import { KeyedHash, KeyRing } from '@melmastoon/security'
import { LRUCache } from 'lru-cache'
import { type BotOverrides, type Bots, createBots } from './bots/bots.ts'
import { BrandSets } from './brands/brand-sets.ts'
import { type Caches, defineCaches } from './caches.ts'
import type { DatedCalendar } from './calendar/load-calendar.ts'
import { type CardCache, createCardCache } from './cards/write-card.ts'
import type { ConsumerConfig } from './config.ts'
import { createSessionObservers } from './create-session-observers.ts'
import { ComposedPages } from './derived-responses/composed-pages.ts'
import { registry } from './events/registry.ts'
import { type ConsumerFlags, createConsumerFlags } from './flags.ts'
import type { ComposedHotel } from './hotels/read-hotel.ts'
import { createLimits, type Limits, type PolicyOverrides } from './limits/create-limits.ts'
import { createMeasures, type Measures } from './measures.ts'
import type { ComposedOffers } from './offers/read-hotel-offers.ts'
import { createPlaces, EVERY_PAGE, type Places } from './places/place-tags.ts'
import type { RecentSearch } from './search/identify-search.ts'
import { createSearchSessions, type SearchSessions } from './search/search-session.ts'
import {
  createGuestSessions,
  type GuestSessions,
  type SessionLives,
} from './sessions/guest-session.ts'
import type { SessionObserver } from './sessions/session-observers.ts'
import { createUpstreams, type Upstreams } from './upstreams/create-upstreams.ts'

const RECENT_SEARCHES_MAX = 50_000

export interface ConsumerContext extends ServiceBase<ConsumerConfig>, Caches {
  readonly measures: Measures
  readonly registry: typeof registry
  /** Takes the reason why a section of a page failed. */
  readonly reportSection: ReportSection
  readonly flags: ConsumerFlags
  readonly hashes: KeyedHash
  readonly handoffKeys: KeyRing
  readonly telemetry: TelemetryBatcher
  readonly background: BackgroundWork
  readonly guestQueue: PerGuestQueue
  readonly recentKeys: RecentKeys
  readonly cache: Cache
  readonly blocked: BlockedTenants
  readonly brandSets: BrandSets
  readonly composedHotels: ComposedPages<ComposedHotel>
  readonly composedOffers: ComposedPages<ComposedOffers>
  readonly datedCalendars: ComposedPages<DatedCalendar>
  readonly places: Places
  readonly cards: CardCache
  readonly sessions: GuestSessions
  readonly sessionObservers: readonly SessionObserver[]
  readonly idempotency: IdempotencyStore
  readonly searchSessions: SearchSessions
  readonly recentSearches: LRUCache<string, RecentSearch>
  readonly limits: Limits
  readonly bots: Bots
  readonly wishlistMutex: KeyedMutex
  readonly upstreams: Upstreams
}

/** What tests and benchmarks may replace. */
export interface ContextOverrides extends ServiceOverrides {
  readonly policies?: PolicyOverrides
  readonly bots?: BotOverrides
  readonly pageFreshMs?: number
  readonly sessionLives?: SessionLives
  readonly flagPollMs?: number
  /** How many bytes of pages this process caches in addition to Redis. */
  readonly l1MaxBytes?: number
  readonly halfOpenAfterMs?: number
}

/** The composition root: every collaborator, built once, in the order of their dependencies. */
export function createContext(
  base: ServiceBase<ConsumerConfig>,
  overrides: ContextOverrides,
): ConsumerContext {
  const { config, clock, metrics, errors, keys, sessionRedis, use } = base
  const { halfOpenAfterMs, l1MaxBytes } = overrides
  const measures = createMeasures(metrics)
  const sessionKeys = KeyRing.parse(config.secrets.sessionKeys.reveal())
  const sessions = createGuestSessions({
    redis: sessionRedis,
    keys: sessionKeys,
    keyPrefix: keys.prefix('session'),
    ...overrides.sessionLives,
  })
  const hashes = new KeyedHash(KeyRing.parse(config.secrets.peppers.reveal()))
  const upstreams = use(createUpstreams(config, { ...base, halfOpenAfterMs }))
  const telemetry = serviceTelemetry(base)
  const bots = use(createBots(config, { ...base, hashes, measures, overrides }))
  const onDropped = () => measures.backgroundDropped.inc({})
  const background = use(new BackgroundWork({ onError: errors.for('background-work'), onDropped }))
  const cache = serviceCache(base, l1MaxBytes === undefined ? {} : { l1MaxBytes })
  const blocked = use(
    createBlockedTenants({
      redis: sessionRedis,
      keys,
      onError: errors.for('blocked-tenants'),
      onCount: (count) => measures.blockedTenants.set({}, count),
      invalidated: { cache, tags: [EVERY_PAGE] },
    }),
  )
  const flags = createConsumerFlags(base, overrides.flagPollMs)
  const parts = {
    ...base,
    measures,
    reportSection: sectionMetrics(metrics, errors),
    registry,
    flags,
    hashes,
    handoffKeys: KeyRing.parse(config.secrets.handoffKeys.reveal()),
    telemetry,
    background,
    guestQueue: new PerGuestQueue(background),
    recentKeys: new RecentKeys({
      redis: base.cacheRedis,
      keys,
      clock,
      onError: errors.for('recent-keys'),
    }),
    cache,
    ...defineCaches(cache, flags, overrides),
    blocked,
    brandSets: new BrandSets(),
    composedHotels: new ComposedPages<ComposedHotel>(),
    composedOffers: new ComposedPages<ComposedOffers>(),
    datedCalendars: new ComposedPages<DatedCalendar>(),
    places: createPlaces(),
    cards: createCardCache(),
    sessions,
    idempotency: serviceIdempotency(base),
    searchSessions: createSearchSessions({ redis: sessionRedis, keys, sessions }),
    recentSearches: new LRUCache<string, RecentSearch>({ max: RECENT_SEARCHES_MAX }),
    limits: createLimits(base, overrides),
    bots,
    wishlistMutex: new KeyedMutex(),
    upstreams,
  }
  return { ...parts, sessionObservers: createSessionObservers(parts) }
}
