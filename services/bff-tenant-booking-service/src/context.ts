import { setTimeout as sleep } from 'node:timers/promises'
import { type BlockedTenants, createBlockedTenants } from '@melmastoon/bff/tenants'
import type { Cache } from '@melmastoon/chassis/cache'
import { BackgroundWork, PerGuestQueue, RecentKeys } from '@melmastoon/chassis/concurrency'
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
import { KeyedHash, KeyRing, webhookKeys } from '@melmastoon/security'
import { createHotDrafts, type HotDrafts } from './bookings/hot-drafts.ts'
import { WarmBootstraps } from './bootstrap/warm-bootstraps.ts'
import { type Caches, defineCaches } from './caches.ts'
import type { BookingConfig } from './config.ts'
import { registry } from './events/registry.ts'
import { type BookingFlags, createBookingFlags } from './flags.ts'
import {
  createFulfilmentMeasures,
  type FulfilmentMeasures,
} from './fulfilment/fulfilment-measures.ts'
import type { PollerOptions } from './fulfilment/poll-fulfilments.ts'
import { createLimits, type Limits, type PolicyOverrides } from './limits/create-limits.ts'
import { createMeasures, type Measures } from './measures.ts'
import {
  type BookingSessions,
  createBookingSessions,
  type SessionLives,
} from './sessions/booking-session.ts'
import { ClientHashes } from './sessions/client-hashes.ts'
import { createSites, type Sites } from './site/read-site.ts'
import {
  createUpstreams,
  type UpstreamLimits,
  type Upstreams,
} from './upstreams/create-upstreams.ts'

export interface BookingContext extends ServiceBase<BookingConfig>, Caches {
  readonly measures: Measures
  readonly registry: typeof registry
  /** Takes the reason why a section of a response failed. */
  readonly reportSection: ReportSection
  readonly flags: BookingFlags
  readonly sampleRates: BookingFlags['sampleRates']
  readonly hotDrafts: HotDrafts
  readonly hashes: KeyedHash
  readonly clientHashes: ClientHashes
  readonly handoffKeys: KeyRing
  readonly guestDataKeys: KeyRing
  readonly fulfilmentKeys: KeyRing
  readonly confirmationKeys: KeyRing
  readonly telemetry: TelemetryBatcher
  readonly background: BackgroundWork
  readonly guestQueue: PerGuestQueue
  readonly recentKeys: RecentKeys
  readonly cache: Cache
  readonly blocked: BlockedTenants
  readonly sites: Sites
  readonly warmBootstraps: WarmBootstraps
  readonly sessions: BookingSessions
  readonly idempotency: IdempotencyStore
  readonly limits: Limits
  readonly upstreams: Upstreams
  readonly fulfilment: FulfilmentMeasures
  readonly webhookKeys: KeyRing
  readonly pollerOptions: PollerOptions
  readonly sleep: (durationMs: number) => Promise<unknown>
}

/** What tests and benchmarks may replace. */
export interface ContextOverrides extends ServiceOverrides {
  readonly policies?: PolicyOverrides
  readonly sessionLives?: SessionLives
  readonly flagPollMs?: number
  readonly halfOpenAfterMs?: number
  readonly upstreamMs?: UpstreamLimits
  readonly pollerOptions?: PollerOptions
}

function createRecentKeys({ cacheRedis, keys, clock, errors }: ServiceBase): RecentKeys {
  return new RecentKeys({ redis: cacheRedis, keys, clock, onError: errors.for('recent-keys') })
}

/** The composition root: every collaborator, built once, in the order of their dependencies. */
export function createContext(
  base: ServiceBase<BookingConfig>,
  overrides: ContextOverrides,
): BookingContext {
  const { config, metrics, errors, keys, sessionRedis, use } = base
  const { secrets } = config
  const { halfOpenAfterMs } = overrides
  const measures = createMeasures(metrics)
  const upstreams = use(createUpstreams(config, { ...base, halfOpenAfterMs }, overrides.upstreamMs))
  const telemetry = serviceTelemetry(base)
  const onDropped = () => measures.backgroundDropped.inc({})
  const background = use(new BackgroundWork({ onError: errors.for('background-work'), onDropped }))
  const blocked = use(
    createBlockedTenants({
      redis: sessionRedis,
      keys,
      onError: errors.for('blocked-tenants'),
      onCount: (count) => measures.blockedTenants.set({}, count),
    }),
  )
  const cache = serviceCache(base)
  const flags = createBookingFlags(base, overrides.flagPollMs)
  const caches = defineCaches(cache)
  const hashes = new KeyedHash(KeyRing.parse(secrets.peppers.reveal()))
  return {
    ...base,
    measures,
    reportSection: sectionMetrics(metrics, errors),
    registry,
    flags,
    sampleRates: () => flags.sampleRates(),
    hotDrafts: createHotDrafts(base),
    hashes,
    clientHashes: new ClientHashes(hashes),
    handoffKeys: KeyRing.parse(secrets.handoffKeys.reveal()),
    guestDataKeys: KeyRing.parse(secrets.guestDataKeys.reveal()),
    fulfilmentKeys: KeyRing.parse(secrets.fulfilmentKeys.reveal()),
    confirmationKeys: KeyRing.parse(secrets.confirmationKeys.reveal()),
    telemetry,
    background,
    guestQueue: new PerGuestQueue(background),
    recentKeys: createRecentKeys(base),
    cache,
    ...caches,
    warmBootstraps: new WarmBootstraps(),
    blocked,
    sites: createSites({
      ...caches,
      blocked,
      upstreams,
      siteUrl: config.siteUrl,
      sharedSiteUrl: config.sharedSiteUrl,
    }),
    sessions: createBookingSessions({
      redis: sessionRedis,
      keys: KeyRing.parse(secrets.sessionKeys.reveal()),
      keyPrefix: keys.prefix('session'),
      ...overrides.sessionLives,
    }),
    idempotency: serviceIdempotency(base),
    limits: createLimits(base, overrides),
    upstreams,
    fulfilment: createFulfilmentMeasures(metrics),
    webhookKeys: webhookKeys(secrets.paymentWebhook.reveal()),
    pollerOptions: overrides.pollerOptions ?? {},
    sleep: (durationMs) => sleep(durationMs),
  }
}
