import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CommandResult, runCommand } from '@melmastoon/one-machine'
import { countMarks } from './count-marks.ts'
import { countVitest, type FileTime, fileTimes, packageTimes } from './count-vitest.ts'
import { addTallies, type Tally, tallyLine } from './tally.ts'
import type { TestOptions } from './test-options.ts'

export interface TestRun {
  root: string
  options: TestOptions
  env: Readonly<Record<string, string | undefined>>
  signal: AbortSignal
  /** Receives the output of the programs as it is printed. */
  show: (text: string) => void
  colours: boolean
}

interface Part {
  name: string
  run(): Promise<Tally>
}

/** Checks, tests and the short benchmark, each even if another fails, then the summary. */
export async function runTests(run: TestRun): Promise<boolean> {
  const done: { name: string; tally: Tally; seconds: number }[] = []
  for (const part of parts(run)) {
    if (run.signal.aborted) break
    print(run, `\n── ${part.name}`)
    const startedAt = performance.now()
    const tally = await part.run()
    done.push({ name: part.name, tally, seconds: (performance.now() - startedAt) / 1000 })
  }
  print(run)
  for (const { name, tally, seconds } of done) {
    const mark = tally.failed === 0 ? '✓' : '✗'
    print(
      run,
      `${mark} ${name.padEnd(10)}${tallyLine(tally).padEnd(42)}${seconds.toFixed(1).padStart(6)} s`,
    )
  }
  return conclude(run, done)
}

function print(run: TestRun, line = ''): void {
  run.show(`${line}\n`)
}

function conclude(run: TestRun, done: readonly { name: string; tally: Tally }[]): boolean {
  const total = addTallies(done.map((part) => part.tally))
  const tests = done.find((part) => part.name === 'tests')?.tally
  const ran = tests !== undefined && tests.passed + tests.failed > 0
  if (run.signal.aborted) print(run, '✗ interrupted')
  else if (!ran) print(run, '✗ no test ran')
  const complete = ran && !run.signal.aborted
  print(run, tallyLine(complete || total.failed > 0 ? total : { ...total, failed: 1 }))
  return complete && total.failed === 0
}

const BENCH = 'bench/src/short.ts'
const SLOWEST_SHOWN = 15

function parts(run: TestRun): Part[] {
  const tests = { name: 'tests', run: () => runVitest(run) }
  if (run.options.testsOnly) return [tests]
  const bench = { name: 'bench', run: () => runCounted(run, BENCH) }
  return [
    { name: 'checks', run: () => runCounted(run, 'tools/check/run.ts') },
    tests,
    ...(existsSync(join(run.root, BENCH)) ? [bench] : []),
  ]
}

/** A missing program counts as a failure. */
async function runCounted(run: TestRun, file: string): Promise<Tally> {
  const { output, exitCode } = await runOnNode(run, [join(run.root, file)])
  return countMarks(output, exitCode ?? 1)
}

async function runVitest(run: TestRun): Promise<Tally> {
  const reports = mkdtempSync(join(tmpdir(), 'melmastoon-report-'))
  const report = join(reports, 'vitest.json')
  const vitest = join(run.root, 'node_modules', 'vitest', 'vitest.mjs')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  try {
    const args = [vitest, 'run', ...reporters, ...run.options.vitestArguments]
    const { exitCode } = await runOnNode(run, args)
    const written = existsSync(report) ? readFileSync(report, 'utf8') : null
    printTimes(run, fileTimes(written, run.root))
    return countVitest(written, exitCode ?? 1)
  } finally {
    rmSync(reports, { recursive: true, force: true })
  }
}

/** The slowest files, for runs that exceed the time budget (CONTRIBUTING). */
function printTimes(run: TestRun, files: readonly FileTime[]): void {
  if (files.length <= SLOWEST_SHOWN) return
  const line = ({ path, seconds }: FileTime) => `  ${seconds.toFixed(1).padStart(6)} s  ${path}`
  print(run, '\nSlowest test files')
  for (const file of files.slice(0, SLOWEST_SHOWN)) print(run, line(file))
  print(run, 'Test files per package, summed over all workers')
  for (const total of packageTimes(files)) print(run, line(total))
}

/** Shows the output as it is printed, with colours only on a terminal. */
function runOnNode(run: TestRun, args: readonly string[]): Promise<CommandResult> {
  const { root: cwd, env, signal, show } = run
  const colours = run.colours ? { FORCE_COLOR: '1' } : { NO_COLOR: '1' }
  return runCommand(process.execPath, args, {
    cwd,
    env: { ...env, ...colours },
    timeoutMs: null,
    signal,
    stderr: 'inherited',
    onOutput: show,
  })
}
