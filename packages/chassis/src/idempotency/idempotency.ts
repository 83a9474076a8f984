import type { KeyRing } from '@melmastoon/security'
import { type Database, identifier, type SqlFragment } from '../db/index.ts'
import type { CounterMetric, Metrics } from '../telemetry/index.ts'
import { createRecordProtection, type RecordProtection } from './record-protection.ts'
import type { ReplayShortcut } from './replay-shortcut.ts'

/** What `claim` and `writeOnce` need. Postgres is the authority for every key (D8). */
export interface IdempotencyStore {
  readonly db: Database
  readonly table: SqlFragment
  readonly secret: Buffer
  readonly records: RecordProtection
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
  /**
   * Derives the keys sent upstream and keys the request hashes: after a change, unfinished work
   * sends new upstream keys, and repeated requests count as different ones.
   */
  readonly secret: Buffer
  /** Encrypts stored responses; by default a key derived from the secret does. */
  readonly keys?: KeyRing | undefined
  readonly metrics?: Metrics
  readonly shortcut?: ReplayShortcut
}

const SECRET_BYTES_MIN = 32
const NO_METRICS = { inc: () => undefined }

export function createIdempotency(options: IdempotencyOptions): IdempotencyStore {
  const { db, schema, secret, keys, metrics, shortcut = null } = options
  if (secret.length < SECRET_BYTES_MIN) {
    throw new TypeError(`the idempotency secret needs ${SECRET_BYTES_MIN} bytes`)
  }
  const table = identifier(schema, 'idempotency')
  const records = createRecordProtection({ secret, keys })
  return { db, table, secret, records, shortcut, counters: createCounters(metrics) }
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
