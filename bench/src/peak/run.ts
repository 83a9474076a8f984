import { removeDeadRuns } from '@melmastoon/one-machine'
import { staffedTenants } from '@melmastoon/platform-sandbox'
import { canPin, LOAD_CORE, moveToCore } from '../harness/cores.ts'
import { percentile } from '../harness/statistics.ts'
import { stopWorkers } from '../harness/worker.ts'
import { World } from '../harness/world.ts'
import { startSearchEnvironment } from '../rows/search/search-environment.ts'
import { conditionsOf, voidReasons } from './conditions.ts'
import { type PeakOptions, parsePeakOptions, USAGE } from './peak-options.ts'
import { ms, printRun } from './print-run.ts'
import { type PeakRun, runPeak } from './run-peak.ts'

const FAILED = 1
const VOID = 2

function readOptions(): PeakOptions {
  try {
    return parsePeakOptions(process.argv.slice(2))
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`)
    process.exit(64)
  }
}

const WORLD_SEED = 'melmastoon'

/** Tokens live longer than the longest run; every hotel of the load has staff and guests. */
const sandboxEnv = ({ hotels }: PeakOptions) => ({
  ACCESS_TOKEN_SECONDS: '3600',
  WORLD_SEED,
  WORLD_PROPERTIES: String(hotels),
  WORLD_STAFFED_HOTELS: String(hotels),
})

function tenantsOf({ hotels }: PeakOptions): string[] {
  const world = { seed: WORLD_SEED, properties: hotels, staffed: hotels }
  return staffedTenants(world).slice(0, hotels)
}

async function runAll(options: PeakOptions): Promise<PeakRun[]> {
  await removeDeadRuns('bench')
  await using world = new World({ short: false, withPeers: false })
  const runs: PeakRun[] = []
  const tenants = tenantsOf(options)
  try {
    const environment = await startSearchEnvironment(world, { env: sandboxEnv(options) })
    for (let run = 1; run <= options.runs; run += 1) {
      console.log(`run ${run} of ${options.runs}`)
      const result = await runPeak({ world, environment, options, tenants, say: console.log })
      console.log(printRun(result))
      runs.push(result)
    }
  } finally {
    await stopWorkers({ all: true })
  }
  return runs
}

function printAll(runs: readonly PeakRun[]): void {
  const p95s = runs.map(({ measured }) => measured.steady.overall.p95Ms)
  console.log(
    `\np95 of ${runs.length} runs: median ${ms(percentile(p95s, 0.5))}, worst ${ms(Math.max(...p95s))}`,
  )
}

/** The exit code: a control has to be detected by its own condition. */
function verdictOf(runs: readonly PeakRun[], { control }: PeakOptions): number {
  const reasons = runs.flatMap(({ measured }) => voidReasons(measured))
  const broken = runs
    .flatMap(({ measured }) => conditionsOf(measured))
    .filter(({ holds }) => !holds)
  if (control !== null) {
    const isDetected = broken.some((condition) => condition.control === control)
    console.log(isDetected ? '\nfailed, as it must' : `\nthe control "${control}" was not detected`)
    return isDetected ? 0 : FAILED
  }
  for (const reason of reasons) console.log(`void: ${reason}`)
  if (reasons.length > 0) return VOID
  console.log(broken.length === 0 ? '\npassed' : `\nfailed: ${broken.length} conditions`)
  return broken.length === 0 ? 0 : FAILED
}

const options = readOptions()
if (!canPin()) console.log('void: processes cannot be pinned to cores here (taskset, two cores)')
await moveToCore(LOAD_CORE, process.pid)
const runs = await runAll(options)
if (runs.length > 1) printAll(runs)
process.exitCode = canPin() ? verdictOf(runs, options) : VOID
