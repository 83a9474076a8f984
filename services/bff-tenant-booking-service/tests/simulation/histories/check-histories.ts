import fc from 'fast-check'
import { arbitraryHistory } from './arbitrary-history.ts'
import { type HistoryOptions, runHistory } from './run-history.ts'

export interface CheckOptions extends HistoryOptions {
  readonly seed: number
  readonly runs: number
  /** When it ends the histories so far count. */
  readonly timeLimitMs: number
  /** Prints the count after each so many histories. */
  readonly reportEvery?: number
  /** Leaves out all further histories. */
  readonly signal?: AbortSignal
}

export interface Checked {
  readonly histories: number
  readonly tasks: number
  /** How often each event occurred, over all histories. */
  readonly happened: ReadonlyMap<string, number>
}

const REPEAT_EVERY = 50
const SHRINK_MS = 60_000

/**
 * Runs random histories. A failure names seed and path for fast-check, the smallest history found,
 * and its tasks.
 */
export async function checkHistories(options: CheckOptions): Promise<Checked> {
  const {
    seed,
    runs,
    timeLimitMs,
    signal,
    reportEvery = Number.POSITIVE_INFINITY,
    ...more
  } = options
  const total = { histories: 0, tasks: 0, happened: new Map<string, number>() }
  const property = fc.asyncProperty(arbitraryHistory(), async (history) => {
    if (signal?.aborted) return
    const simulation = await runHistory(history, more)
    const { scheduler, happened, network } = simulation
    total.histories += 1
    total.tasks += scheduler.trace.length
    for (const [event, count] of [...happened, ...network.occurred]) {
      total.happened.set(event, (total.happened.get(event) ?? 0) + count)
    }
    if (total.histories % reportEvery === 0) {
      process.stdout.write(`seed ${seed}: ${describeChecked(total)}`)
    }
    if (total.histories % REPEAT_EVERY !== 0) return
    const again = await runHistory(history, more)
    if (again.scheduler.traceHash() === scheduler.traceHash()) return
    throw new Error(`two runs of one history differ:\n${firstDifference(simulation, again)}`)
  })
  const limits = { seed, numRuns: runs, interruptAfterTimeLimit: timeLimitMs }
  const found = await fc.check(property, { ...limits, endOnFailure: true })
  if (!found.failed) return total
  const path = found.counterexamplePath ?? ''
  process.stdout.write(`seed ${seed}, path ${path}: ${String(found.errorInstance)}\n`)
  // Only now: looking for a smaller history may take longer than all histories.
  await fc.assert(property, { ...limits, path, interruptAfterTimeLimit: SHRINK_MS })
  throw new Error(`seed ${seed}, path ${path} failed once, and not again`)
}

type Ran = Awaited<ReturnType<typeof runHistory>>

function firstDifference(one: Ran, other: Ran): string {
  const lines = other.story().split('\n')
  const at = one
    .story()
    .split('\n')
    .findIndex((line, index) => line !== lines[index])
  return `line ${at}: ${one.story().split('\n')[at]} / ${lines[at]}`
}

export function describeChecked({ histories, tasks }: Checked): string {
  return `${histories} histories, ${tasks} tasks\n`
}
