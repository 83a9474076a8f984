import { isProblem } from '@melmastoon/domain'
import { systemClock } from '../clock/index.ts'
import type { ErrorReporter } from './error-reporter.ts'
import { type Logger, silentLogger } from './logger.ts'
import type { Metrics } from './metrics.ts'

/**
 * Metrics of the components, with the platform's names. The components take plain callbacks and
 * know no metrics library; these are the callbacks.
 */
export function cacheMetrics(metrics: Metrics, errors: ErrorReporter) {
  const labels = ['cache'] as const
  const counter = (name: string, help: string) => metrics.counter({ name, help, labels })
  const results = {
    hit: counter('cache_hit_total', 'Fresh entries served from the cache'),
    stale: counter('cache_stale_total', 'Entries served from the cache after their soft expiry'),
    miss: counter('cache_miss_total', 'Entries that had to be loaded'),
    bypass: counter('cache_bypass_total', 'Loaded responses that were not cached'),
  }
  const upstreamCalls = counter('cache_upstream_calls_total', 'Loads started')
  const fenced = counter('cache_fenced_writes_total', 'Writes rejected because the lease was lost')
  const early = counter('cache_early_refresh_total', 'Refreshes started before expiry')
  const storeErrors = metrics.counter({
    name: 'cache_store_errors_total',
    help: 'Failed Redis operations of the cache; the request continued without it',
  })
  const followers = counter('singleflight_followers_total', 'Requests that shared a load')
  const waits = metrics.histogram({
    name: 'singleflight_wait_seconds',
    help: 'Time that followers waited for the load of another process',
    labels,
  })
  return {
    onResult: (cache: string, state: keyof typeof results) => results[state].inc({ cache }),
    onUpstreamCall: (cache: string) => upstreamCalls.inc({ cache }),
    onFencedWrite: (cache: string) => fenced.inc({ cache }),
    onEarlyRefresh: (cache: string) => early.inc({ cache }),
    onLeaseWait: (cache: string, ms: number) => {
      followers.inc({ cache })
      waits.observe({ cache }, ms / 1000)
    },
    onRefreshError: (cache: string, error: unknown) => errors.report('cache-refresh', error, cache),
    onStoreError: (error: unknown) => {
      storeErrors.inc({})
      errors.report('cache-store', error)
    },
  }
}

export function relayMetrics(metrics: Metrics) {
  const gauge = (name: string, help: string) => metrics.gauge({ name, help })
  const counter = (name: string, help: string) => metrics.counter({ name, help })
  const depth = gauge('outbox_depth', 'Events still to be published')
  const dead = gauge('outbox_dead', 'Dead events, which need an operator')
  const lag = gauge('outbox_lag_seconds', 'Age of the oldest event still to be published')
  const shards = gauge('outbox_shards', 'Shards this relay holds')
  const published = counter('outbox_published_total', 'Events published to the bus')
  const retried = counter('outbox_retried_total', 'Publications that failed and will be repeated')
  const deaths = counter('outbox_dead_total', 'Events that became dead')
  const fenced = counter('outbox_fenced_marks_total', 'Results rejected because the lease was lost')
  const outages = counter(
    'outbox_broker_unavailable_total',
    'Batches that failed because the broker was unavailable',
  )
  const replayed = counter(
    'outbox_replayed_total',
    'Events published again to a bus that lost them',
  )
  return {
    onPublished: (count: number) => published.inc({}, count),
    onRetry: (count: number) => retried.inc({}, count),
    onDead: () => deaths.inc({}),
    onFencedMark: (count: number) => fenced.inc({}, count),
    onBrokerUnavailable: () => outages.inc({}),
    onBusChanged: (count: number) => replayed.inc({}, count),
    onShards: (count: number) => shards.set({}, count),
    onDepth: (state: { depth: number; dead: number; lagSeconds: number }) => {
      depth.set({}, state.depth)
      dead.set({}, state.dead)
      lag.set({}, state.lagSeconds)
    },
  }
}

interface PoolState {
  readonly total: number
  readonly idle: number
}

/** Connections in use and in total by pool: requests queue for a pool that is fully used. */
export function poolMetrics(
  metrics: Metrics,
  pools: Readonly<Record<string, { poolState(): PoolState }>>,
): void {
  const gauge = (name: string, help: string, read: (state: PoolState) => number) =>
    metrics.gauge({
      name,
      help,
      labels: ['pool'],
      collect: (own) => {
        for (const [pool, db] of Object.entries(pools)) own.set({ pool }, read(db.poolState()))
      },
    })
  gauge('postgres_pool_inuse', 'Connections in use', ({ total, idle }) => total - idle)
  gauge('postgres_pool_total', 'Open connections', ({ total }) => total)
}

/** For Redis Streams: messages that were trimmed before every subscription had read them. */
export function busMetrics(metrics: Metrics) {
  const trimmed = metrics.counter({
    name: 'bus_trimmed_total',
    help: 'Messages trimmed before every subscription had read them',
    labels: ['subject'],
  })
  return {
    onTrimmed: ({ subject, count }: { subject: string; count: number }) =>
      trimmed.inc({ subject }, count),
  }
}

export function consumerMetrics(metrics: Metrics) {
  const labels = ['subject'] as const
  const counter = (name: string, help: string) => metrics.counter({ name, help, labels })
  const processed = counter('inbox_processed_total', 'Events whose effect was committed')
  const duplicates = counter('inbox_duplicates_total', 'Deliveries that had no effect')
  const dead = counter('inbox_dead_total', 'Messages moved to the dead letters')
  return {
    onProcessed: (subject: string) => processed.inc({ subject }),
    onDuplicate: (subject: string) => duplicates.inc({ subject }),
    onDead: (subject: string) => dead.inc({ subject }),
  }
}

/** For `TelemetryBatcher`. */
export function telemetryMetrics(metrics: Metrics) {
  const dropped = metrics.counter({
    name: 'telemetry_dropped_total',
    help: 'Events without a transaction of their own that were discarded',
  })
  return { onDropped: (count: number) => dropped.inc({}, count) }
}

/** For `createFlags`. */
export function flagsMetrics(metrics: Metrics) {
  const rejected = metrics.counter({
    name: 'flags_rejected_total',
    help: 'Invalid or failed reads of the flags; the last valid value stays in use',
  })
  return { onRejected: () => rejected.inc({}) }
}

/** For `createLimiter`; `limit` is the name of its policy. */
export function limitMetrics(metrics: Metrics, limit: string) {
  const degraded = metrics.counter({
    name: 'limit_degraded_total',
    help: 'Decisions without Redis: counted per process, or rejected',
    labels: ['limit'],
  })
  return { onDegraded: () => degraded.inc({ limit }) }
}

/** For `settleSections`: why a section of a composed response is missing. */
export function sectionMetrics(metrics: Metrics, errors: ErrorReporter) {
  const failures = metrics.counter({
    name: 'section_failures_total',
    help: 'Sections of composed responses that failed or were late, by problem code',
    labels: ['section', 'error_code'],
  })
  return (section: string, error: unknown) => {
    const isAbsent = isDefiniteAbsence(error)
    const unexpected = isAbsent ? 'absent' : 'unexpected'
    failures.inc({ section, error_code: isProblem(error) ? error.code : unexpected })
    if (!isAbsent) errors.report('section', error, section)
  }
}

/** An upstream does not know what the client has named: nothing has failed. */
function isDefiniteAbsence(error: unknown): boolean {
  const isRejection = error instanceof Error && error.name === 'UpstreamRejection'
  return isRejection && 'status' in error && error.status === 404
}

const BREAKER_VALUES = { closed: 0, 'half-open': 1, open: 2 }

const LOG_AGAIN_AFTER_MS = 60_000
const REASON_LENGTH_MAX = 120

/** Counts responses that break their contract, and logs where they do, once a minute. */
export function upstreamMetrics(metrics: Metrics, upstream: string, logger: Logger = silentLogger) {
  const loggedAtMs = new Map<string, number>()
  const logDrift = (operation: string, where: string) => {
    const nowMs = systemClock.monotonicMs()
    if (nowMs - (loggedAtMs.get(operation) ?? -LOG_AGAIN_AFTER_MS) < LOG_AGAIN_AFTER_MS) return
    loggedAtMs.set(operation, nowMs)
    const reason = where.slice(0, REASON_LENGTH_MAX)
    logger.warn({ event: 'contract_drift', upstream, operation, reason }, 'contract broken')
  }
  const breaker = metrics.gauge({
    name: 'circuit_breaker_state',
    help: '0 closed, 1 half open, 2 open',
    labels: ['upstream'],
  })
  const drift = metrics.counter({
    name: 'upstream_contract_drift_total',
    help: 'Responses that broke their contract',
    labels: ['upstream', 'operation'],
  })
  const calls = metrics.histogram({
    name: 'upstream_call_duration_seconds',
    help: 'Calls to upstream services, retries included',
    labels: ['upstream', 'operation', 'outcome'],
  })
  breaker.set({ upstream }, BREAKER_VALUES.closed)
  return {
    onBreaker: (state: keyof typeof BREAKER_VALUES) =>
      breaker.set({ upstream }, BREAKER_VALUES[state]),
    onDrift: (operation: string, where: string) => {
      drift.inc({ upstream, operation })
      logDrift(operation, where)
    },
    onCall: (call: { operation: string; outcome: string; durationMs: number }) => {
      const { operation, outcome } = call
      calls.observe({ upstream, operation, outcome }, call.durationMs / 1000)
    },
  }
}
