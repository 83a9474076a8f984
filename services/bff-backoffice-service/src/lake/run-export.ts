import type { Metrics } from '@melmastoon/chassis/telemetry'
import { type DayResult, type ExportDeps, exportDay } from './export-day.ts'
import type { Day, LakeTable } from './lake.ts'
import { selectPrunable } from './lake-export-sql.ts'
import { pruneDay } from './prune-days.ts'
import { queryLong, selectDueDays } from './source-sql.ts'

export interface RunDeps extends ExportDeps {
  readonly metrics: LakeMetrics
  readonly onError: (error: unknown) => void
}

const DAY_MS = 86_400_000
/** A day is over this long after midnight: statements that began before have ended. */
const CLOSED_AFTER_MS = 10 * 60_000
/** Of one run; the next one continues. */
const DAYS_MAX = 400

export type ExportSummary = Record<DayResult | 'failed' | 'pruned' | 'kept', number>

/** All days of a table that are over, then those that may leave Postgres. */
export async function runExport(
  deps: RunDeps,
  table: LakeTable,
  signal: AbortSignal,
): Promise<ExportSummary> {
  const summary: ExportSummary = {
    exported: 0,
    waiting: 0,
    held: 0,
    superseded: 0,
    failed: 0,
    pruned: 0,
    kept: 0,
  }
  await exportDue(deps, table, { summary, signal })
  await prune(deps, table, { summary, signal })
  if (summary.failed + summary.kept > 0) {
    throw new AggregateError([], `${table.name}: ${JSON.stringify(summary)}`)
  }
  return summary
}

interface Run {
  readonly summary: ExportSummary
  readonly signal: AbortSignal
}

/** A day that fails does not delay the others. */
async function exportDue(deps: RunDeps, table: LakeTable, { summary, signal }: Run): Promise<void> {
  const now = deps.clock.now().getTime()
  const until = dayOf(now - CLOSED_AFTER_MS - DAY_MS)
  const due = await queryLong(deps.db, selectDueDays(table, until, DAYS_MAX))
  const open: Day[] = []
  for (const { day } of due) {
    signal.throwIfAborted()
    const result = await exportDay(deps, { table, day }, signal).catch((error: unknown) => {
      deps.onError(error)
      return 'failed' as const
    })
    summary[result] += 1
    if (result !== 'exported') open.push(day)
  }
  const [oldest] = open
  const ageMs = oldest === undefined ? 0 : now - Date.parse(oldest) - DAY_MS
  deps.metrics.onOldest(table.name, ageMs / 1000)
  deps.metrics.onFailed(table.name, summary.failed)
}

async function prune(deps: RunDeps, table: LakeTable, { summary, signal }: Run): Promise<void> {
  if (table.hotDays === null) return
  const before = dayOf(deps.clock.now().getTime() - table.hotDays * DAY_MS)
  for (const verified of await deps.db.query(selectPrunable(table.name, before, DAYS_MAX))) {
    signal.throwIfAborted()
    const result = await pruneDay(deps, { table, day: verified.day }, verified)
    if (result === 'pruned') summary.pruned += 1
    else summary.kept += 1
    if (result === 'damaged') deps.metrics.onDamaged(table.name)
  }
}

function dayOf(timeMs: number): Day {
  return new Date(timeMs).toISOString().slice(0, 10)
}

export type LakeMetrics = ReturnType<typeof lakeMetrics>

/** For alerts: a day that is not in the lake after two runs, or not as it was verified. */
export function lakeMetrics(metrics: Metrics) {
  const labels = ['table'] as const
  const oldest = metrics.gauge({
    name: 'lake_oldest_open_day_seconds',
    help: 'Since the end of the oldest day that is not in the audit lake',
    labels,
  })
  const failed = metrics.counter({ name: 'lake_failed_days_total', help: 'Failed exports', labels })
  const damaged = metrics.counter({
    name: 'lake_damaged_days_total',
    help: 'Days that the audit lake did not have as they were verified; nothing was deleted',
    labels,
  })
  return {
    onOldest: (table: string, seconds: number) => oldest.set({ table }, seconds),
    onFailed: (table: string, days: number) => failed.inc({ table }, days),
    onDamaged: (table: string) => damaged.inc({ table }),
  }
}
