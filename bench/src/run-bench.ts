import { removeDeadRuns } from '@melmastoon/one-machine'
import { stopPinning } from './harness/cores.ts'
import type { Growth } from './harness/row.ts'
import { type RowResult, runRow } from './harness/run-row.ts'
import { stopWorkers } from './harness/worker.ts'
import { World } from './harness/world.ts'
import { formatDuration } from './report/render-table.ts'
import { rows } from './rows/index.ts'

export interface BenchRun {
  readonly rows: readonly string[]
  readonly short: boolean
  readonly withPeers: boolean
  readonly growth?: Growth
  readonly limitMs: number
  readonly say: (line: string) => void
  readonly onRow?: (result: RowResult) => void
}

/** Runs the rows one after another on servers of their own, which are removed at the end. */
export async function runBench(run: BenchRun): Promise<RowResult[]> {
  if (run.short) stopPinning()
  const stopping = new AbortController()
  const stop = () => stopping.abort(new Error('stopped'))
  process.once('SIGINT', stop).once('SIGTERM', stop)
  const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(run.limitMs)])
  await removeDeadRuns('bench')
  await using world = new World(run)
  const results: RowResult[] = []
  const startedAt = performance.now()
  const chosen = rows.filter(({ id }) => run.rows.includes(id))
  for (const [at, row] of chosen.entries()) {
    if (stopping.signal.aborted) break
    const elapsed = formatDuration((performance.now() - startedAt) / 1000)
    run.say(`[${at + 1} of ${chosen.length}, after ${elapsed}] ${row.id}. ${row.title}`)
    const result = await runRow(row, world, { signal, say: run.say })
    run.say(`  ${row.id} took ${formatDuration(result.seconds)}`)
    results.push(result)
    run.onRow?.(result)
  }
  await stopWorkers({ all: true })
  process.off('SIGINT', stop).off('SIGTERM', stop)
  return results
}
