import type { Database, SqlFragment } from '../db/index.ts'
import { identifier } from '../db/index.ts'
import type { CounterMetric, Metrics } from '../telemetry/index.ts'
import type { ReplayShortcut } from './replay-shortcut.ts'

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

export interface IdempotencyStoreOptions {
  readonly db: Database
  readonly schema: string
  /** Derives the keys sent upstream. Changing it makes unfinished work meet fresh upstream keys. */
  readonly secret: Buffer
  readonly metrics?: Metrics
  readonly shortcut?: ReplayShortcut
}

const SECRET_BYTES_MIN = 32
const SILENT = { inc: () => undefined }

export function createIdempotencyStore(options: IdempotencyStoreOptions): IdempotencyStore {
  const { db, schema, secret, metrics, shortcut = null } = options
  if (secret.length < SECRET_BYTES_MIN) {
    throw new TypeError(`the idempotency secret needs ${SECRET_BYTES_MIN} bytes`)
  }
  const table = identifier(schema, 'idempotency')
  return { db, table, secret, shortcut, counters: createCounters(metrics) }
}

function createCounters(metrics: Metrics | undefined): IdempotencyCounters {
  if (metrics === undefined) return { outcomes: SILENT, fenceLost: SILENT }
  return {
    outcomes: metrics.counter({
      name: 'idempotency_outcomes_total',
      help: 'What became of requests with an idempotency key',
      labels: ['outcome'],
    }),
    fenceLost: metrics.counter({
      name: 'idempotency_fence_lost_total',
      help: 'Writes refused because a later attempt owns the key',
      labels: ['step'],
    }),
  }
}
