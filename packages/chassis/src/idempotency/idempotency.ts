import { type Database, identifier, type SqlFragment } from '../db/index.ts'
import type { CounterMetric, Metrics } from '../telemetry/index.ts'
import type { ReplayShortcut } from './replay-shortcut.ts'

/** What `claim` and `writeOnce` need. Postgres is the authority for every key (D8). */
export interface IdempotencyStore {
  readonly db: Database
  readonly table: SqlFragment
  readonly secret: Buffer
  readonly shortcut: ReplayShortcut | null
  readonly counters: IdempotencyCounters
}

export interface IdempotencyCounters {
  readonly outcomes: CounterMetric<'outcome'>
  readonly fenceLost: CounterMetric<'step'>
}

export interface IdempotencyOptions {
  readonly db: Database
  readonly schema: string
  /** Derives the keys sent upstream: after a change, unfinished work sends new upstream keys. */
  readonly secret: Buffer
  readonly metrics?: Metrics
  readonly shortcut?: ReplayShortcut
}

const SECRET_BYTES_MIN = 32
const NO_METRICS = { inc: () => undefined }

export function createIdempotency(options: IdempotencyOptions): IdempotencyStore {
  const { db, schema, secret, metrics, shortcut = null } = options
  if (secret.length < SECRET_BYTES_MIN) {
    throw new TypeError(`the idempotency secret needs ${SECRET_BYTES_MIN} bytes`)
  }
  const table = identifier(schema, 'idempotency')
  return { db, table, secret, shortcut, counters: createCounters(metrics) }
}

function createCounters(metrics: Metrics | undefined): IdempotencyCounters {
  if (metrics === undefined) return { outcomes: NO_METRICS, fenceLost: NO_METRICS }
  return {
    outcomes: metrics.counter({
      name: 'idempotency_outcomes_total',
      help: 'Outcomes of requests with an idempotency key',
      labels: ['outcome'],
    }),
    fenceLost: metrics.counter({
      name: 'idempotency_fence_lost_total',
      help: 'Writes rejected because a later attempt holds the claim',
      labels: ['step'],
    }),
  }
}
