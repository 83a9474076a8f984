import { removeDeadRuns } from '@melmastoon/one-machine'
import { stopPinning } from './harness/cores.ts'
import { type RowResult, runRow } from './harness/run-row.ts'
import { stopWorkers } from './harness/worker.ts'
import { World } from './harness/world.ts'
import { rows } from './rows/index.ts'

export interface BenchRun {
  readonly rows: readonly string[]
  readonly short: boolean
  readonly withPeers: boolean
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
  for (const row of rows.filter(({ id }) => run.rows.includes(id))) {
    if (stopping.signal.aborted) break
    run.say(`${row.id}. ${row.title}`)
    const result = await runRow(row, world, { signal, say: run.say })
    results.push(result)
    run.onRow?.(result)
  }
  await stopWorkers({ all: true })
  process.off('SIGINT', stop).off('SIGTERM', stop)
  return results
}
