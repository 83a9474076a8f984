import type { Control } from './peak-options.ts'
import type { PhaseResult } from './run-phase.ts'
import type { Probed } from './service-probe.ts'

/** Everything that one run has measured. */
export interface PeakMeasured {
  readonly steady: PhaseResult
  /** Of the process that was started under load, in its first seconds. */
  readonly freshP95Ms: number
  readonly probed: Probed
  readonly outboxOldestSeconds: number
  /** Share of boards, dashboards and inboxes that were served from a cache. */
  readonly hitShare: number
  readonly ledger: { readonly rows: number; readonly expected: number }
  readonly streams: { readonly open: number; readonly ended: number }
  readonly missingKinds: readonly string[]
  /** Shares of a core, from 0 to 1. */
  readonly loadCoreShare: number
  readonly sandboxShare: number
}

export interface Condition {
  readonly text: string
  readonly value: string
  readonly holds: boolean
  /** The fault of this control breaks it. */
  readonly control?: Control
}

/** Otherwise the driver or the sandbox was measured, and the run says nothing. */
const LOAD_CORE_MAX = 0.85
const SANDBOX_MAX = 0.5

export function voidReasons({ loadCoreShare, sandboxShare }: PeakMeasured): string[] {
  return [
    ...(loadCoreShare > LOAD_CORE_MAX
      ? [`the core of the driver and the servers was ${percent(loadCoreShare)} busy`]
      : []),
    ...(sandboxShare > SANDBOX_MAX
      ? [`the sandbox used ${percent(sandboxShare)} of its core`]
      : []),
  ]
}

const FRESH_TIMES_MAX = 1.2
const POOL_WAIT_P99_MS = 50
/** A quick server hides a pool that is too small: it has no reserve, but the waits are short. */
const EXHAUSTED_MAX = 0.01
const REDIS_P95_MS = 5
const OUTBOX_SECONDS = 60
const P95_MS = 1_000
const HITS_MIN = 0.8

/** The four conditions of the data model (§12), then those of the staff reference (§11). */
export function conditionsOf(measured: PeakMeasured): Condition[] {
  const { steady, freshP95Ms, probed, ledger, streams, missingKinds, hitShare } = measured
  const { pool, redis } = probed
  const freshTimes = freshP95Ms / steady.overall.p95Ms
  return [
    {
      text: `no connection timeout, wait p99 < ${POOL_WAIT_P99_MS} ms, all in use ≤ ${percent(EXHAUSTED_MAX)}`,
      value: `${pool.timeouts} timeouts, ${ms(pool.p99Ms)}, ${(pool.exhaustedShare * 100).toFixed(2)} %`,
      holds:
        pool.timeouts === 0 &&
        pool.p99Ms < POOL_WAIT_P99_MS &&
        pool.exhaustedShare <= EXHAUSTED_MAX,
      control: 'pool',
    },
    {
      text: `Redis p95 ≤ ${REDIS_P95_MS} ms on both instances`,
      value: `session ${ms(redis.session.p95Ms)}, cache ${ms(redis.cache.p95Ms)}`,
      holds: redis.session.p95Ms <= REDIS_P95_MS && redis.cache.p95Ms <= REDIS_P95_MS,
      control: 'redis',
    },
    {
      text: `oldest unpublished event ≤ ${OUTBOX_SECONDS} s`,
      value: `${measured.outboxOldestSeconds.toFixed(1)} s`,
      holds: measured.outboxOldestSeconds <= OUTBOX_SECONDS,
    },
    {
      text: `p95 of a fresh process ≤ ${FRESH_TIMES_MAX} × steady`,
      value: `${ms(freshP95Ms)}, ${freshTimes.toFixed(2)} ×`,
      holds: freshTimes <= FRESH_TIMES_MAX,
    },
    {
      text: 'no response with 5xx',
      value: String(steady.serverErrors),
      holds: steady.serverErrors === 0,
    },
    {
      text: 'no unexpected response',
      value: steady.unexpected.join('; ') || 'none',
      holds: steady.unexpected.length === 0,
    },
    {
      text: 'p95 < 1 s',
      value: ms(steady.overall.p95Ms),
      holds: steady.overall.p95Ms < P95_MS,
    },
    {
      text: `hits of boards, dashboards and inboxes > ${percent(HITS_MIN)}`,
      value: percent(hitShare),
      holds: hitShare > HITS_MIN,
    },
    {
      text: 'a ledger row per mutation',
      value: `${ledger.rows} of ${ledger.expected}`,
      holds: ledger.rows === ledger.expected,
    },
    {
      text: 'every stream stays open',
      value: `${streams.open} open, ${streams.ended} ended`,
      holds: streams.ended === 0,
    },
    {
      text: 'every kind of request is sent',
      value: missingKinds.length === 0 ? 'yes' : `without ${missingKinds.join(', ')}`,
      holds: missingKinds.length === 0,
    },
  ]
}

function ms(value: number): string {
  return `${value.toFixed(value < 10 ? 2 : 0)} ms`
}

export function percent(share: number): string {
  return `${Math.round(share * 100)} %`
}
