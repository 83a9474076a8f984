import type { Cache } from '@melmastoon/chassis/cache'
import { BackgroundWork } from '@melmastoon/chassis/concurrency'
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
import type { Access } from './access/access.ts'
import type { AccessControls } from './access/access-controls.ts'
import { type AccessDeps, createAccess } from './access/create-access.ts'
import { type SessionMetrics, sessionMetrics } from './access/session-metrics.ts'
import { reportOpened } from './access/session-reports.ts'
import { createStepUp, type StepUp } from './access/step-up.ts'
import type { Ledger } from './activity/activity.ts'
import { createLedger } from './activity/create-ledger.ts'
import { type BoardVersions, createBoardVersions } from './boards/board-versions.ts'
import { type ReadMetrics, readMetrics } from './boards/read-metrics.ts'
import { type Caches, defineCaches } from './caches.ts'
import type { BackofficeConfig } from './config.ts'
import { type DashboardMetrics, dashboardMetrics } from './dashboard/dashboard-metrics.ts'
import { type DeviceMetrics, deviceMetrics } from './devices/device-metrics.ts'
import { registry } from './events/registry.ts'
import { publishLockChange } from './feed/lock-feed.ts'
import type { IntentStore } from './intents/intent-store.ts'
import { createIntentStore } from './intents/postgres-intent-store.ts'
import { createLake } from './lake/create-lake.ts'
import type { AuditLake } from './lake/lake.ts'
import { type LakeMetrics, lakeMetrics } from './lake/run-export.ts'
import { createLockChanges } from './locks/lock-changes.ts'
import type { LockControls, LockDeps } from './locks/lock-deps.ts'
import { lockMetrics } from './locks/lock-metrics.ts'
import { createStreams } from './streams/create-streams.ts'
import type { StreamControls } from './streams/stream-limits.ts'
import type { Streams } from './streams/streams.ts'
import type { SigningKey } from './sync/signing-key.ts'
import {
  createUpstreams,
  type UpstreamLimits,
  type Upstreams,
} from './upstreams/create-upstreams.ts'

export interface BackofficeContext extends ServiceBase<BackofficeConfig>, Caches {
  readonly registry: typeof registry
  /** Takes the reason why a section of a response failed. */
  readonly reportSection: ReportSection
  readonly hashes: KeyedHash
  readonly cursorKeys: KeyRing
  readonly syncKey: SigningKey
  readonly telemetry: TelemetryBatcher
  readonly background: BackgroundWork
  readonly cache: Cache
  readonly boardVersions: BoardVersions
  readonly widgetMs: number
  readonly dashboardMetrics: DashboardMetrics
  readonly readMetrics: ReadMetrics
  readonly deviceMetrics: DeviceMetrics
  readonly sessionMetrics: SessionMetrics
  readonly idempotency: IdempotencyStore
  readonly upstreams: Upstreams
  readonly access: Access
  readonly stepUp: StepUp
  readonly streams: Streams
  readonly ledger: Ledger
  readonly intentStore: IntentStore
  readonly lake: AuditLake
  readonly lakeMetrics: LakeMetrics
  readonly lockMetrics: LockDeps['lockMetrics']
  /** Publishes actions on keys, for the streams of devices. */
  readonly lockChanges: LockDeps['lockChanges']
  readonly lockControls: LockControls
}

/** What tests and benchmarks may replace. */
export interface ContextOverrides extends ServiceOverrides {
  readonly halfOpenAfterMs?: number
  readonly upstreamMs?: UpstreamLimits
  readonly widgetMs?: number
  readonly access?: AccessControls
  readonly streams?: StreamControls
  readonly locks?: LockControls
}

/** Slower widgets are late; the next request finds them in the cache. */
const WIDGET_MS = 1_000

/** The composition root: every collaborator, built once, in the order of their dependencies. */
export function createContext(
  base: ServiceBase<BackofficeConfig>,
  overrides: ContextOverrides,
): BackofficeContext {
  const { config, metrics, errors, use } = base
  const { secrets } = config
  const { halfOpenAfterMs } = overrides
  const upstreams = use(createUpstreams(config, { ...base, halfOpenAfterMs }, overrides.upstreamMs))
  const dropped = metrics.counter({
    name: 'background_dropped_total',
    help: 'Background tasks that were not started because too many were running',
  })
  const onDropped = () => dropped.inc({})
  const background = use(new BackgroundWork({ onError: errors.for('background-work'), onDropped }))
  const cache = serviceCache(base)
  const telemetry = serviceTelemetry(base)
  const reports = { ...base, registry, telemetry, background }
  const onOpened: AccessDeps['onOpened'] = (session, cause) => reportOpened(reports, session, cause)
  const access = createAccess({ ...base, upstreams, cache, onOpened }, overrides.access)
  const streams = use(createStreams({ ...base, access }, overrides.streams))
  const lockChanges = createLockChanges(errors.for('lock-changes'))
  lockChanges.onChange((change) => publishLockChange({ streams, background }, change))
  return {
    ...base,
    registry,
    reportSection: sectionMetrics(metrics, errors),
    hashes: new KeyedHash(KeyRing.parse(secrets.peppers.reveal())),
    cursorKeys: KeyRing.parse(secrets.cursorKeys.reveal()),
    syncKey: secrets.syncToken,
    telemetry,
    background,
    cache,
    ...defineCaches(cache),
    widgetMs: overrides.widgetMs ?? WIDGET_MS,
    dashboardMetrics: dashboardMetrics(metrics),
    readMetrics: readMetrics(metrics),
    deviceMetrics: deviceMetrics(metrics),
    sessionMetrics: sessionMetrics(metrics),
    boardVersions: createBoardVersions({
      redis: base.cacheRedis,
      keys: base.keys,
      onError: errors.for('board-versions'),
    }),
    idempotency: serviceIdempotency(base),
    upstreams,
    access,
    stepUp: createStepUp({ ...base, upstreams }),
    streams,
    ledger: createLedger(base),
    intentStore: createIntentStore(base.db),
    lake: createLake(config.lake),
    lakeMetrics: lakeMetrics(metrics),
    lockMetrics: lockMetrics(metrics),
    lockChanges,
    lockControls: overrides.locks ?? {},
  }
}
