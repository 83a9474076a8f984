import { type Database, sqlStateOf } from '@melmastoon/chassis/db'
import type { ErrorReporter, Metrics } from '@melmastoon/chassis/telemetry'
import type { Ledger } from './activity.ts'
import { BatchingLedger } from './batching-ledger.ts'
import { keepActivityPartitions } from './partition-keeper.ts'

export interface LedgerDeps {
  readonly relayDb: Database
  readonly metrics: Metrics
  readonly errors: ErrorReporter
  /** A pool of the role that may only insert. */
  readonly openDatabase: (name: string, url: string, poolMax: number) => Database
  readonly config: { readonly ledgerUrl: string }
  readonly use: <T extends AsyncDisposable>(resource: T) => T
}

/** One statement at a time, and one connection to repeat it on. */
const POOL_MAX = 2
/** No partition of the table contains the id. */
const NO_PARTITION = '23514'

export function createLedger(deps: LedgerDeps): Ledger {
  const db = deps.openDatabase('ledger', deps.config.ledgerUrl, POOL_MAX)
  const repair = createRepair(deps)
  const report = deps.errors.for('ledger')
  const onError = (error: unknown) => {
    report(error)
    if (sqlStateOf(error) === NO_PARTITION) repair()
  }
  return deps.use(new BatchingLedger({ db, onError, ...ledgerMetrics(deps.metrics) }))
}

/** The rejected mutation fails; a retry finds the partition. */
function createRepair({ relayDb, errors }: LedgerDeps): () => void {
  let running: Promise<unknown> | undefined
  return () => {
    running ??= keepActivityPartitions(relayDb)
      .catch(errors.for('partition-keeper'))
      .finally(() => {
        running = undefined
      })
  }
}

function ledgerMetrics(metrics: Metrics) {
  const rows = metrics.counter({ name: 'ledger_rows_total', help: 'Recorded activities' })
  const rejected = metrics.counter({
    name: 'ledger_rejected_total',
    help: 'Activities that could not be recorded; their mutations failed',
  })
  const wait = metrics.histogram({
    name: 'ledger_wait_seconds',
    help: 'From the first activity of a batch to its commit',
  })
  return {
    onWritten: (count: number, waitedMs: number) => {
      rows.inc({}, count)
      wait.observe({}, waitedMs / 1000)
    },
    onRejected: (count: number) => rejected.inc({}, count),
  }
}
