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
  /** Takes what the programs print, piece by piece. */
  show: (text: string) => void
  colours: boolean
}

interface Part {
  name: string
  run(): Promise<Tally>
}

/** Checks, tests, short bench: all of them even when one fails, then the summary. */
export async function runTests(run: TestRun): Promise<boolean> {
  const done: { name: string; tally: Tally; seconds: number }[] = []
  for (const part of parts(run)) {
    if (run.signal.aborted) break
    say(run, `\n── ${part.name}`)
    const startedAt = performance.now()
    const tally = await part.run()
    done.push({ name: part.name, tally, seconds: (performance.now() - startedAt) / 1000 })
  }
  say(run)
  for (const { name, tally, seconds } of done) {
    const mark = tally.failed === 0 ? '✓' : '✗'
    say(
      run,
      `${mark} ${name.padEnd(10)}${tallyLine(tally).padEnd(42)}${seconds.toFixed(1).padStart(6)} s`,
    )
  }
  return conclude(run, done)
}

function say(run: TestRun, line = ''): void {
  run.show(`${line}\n`)
}

function conclude(run: TestRun, done: readonly { name: string; tally: Tally }[]): boolean {
  const total = addTallies(done.map((part) => part.tally))
  const tests = done.find((part) => part.name === 'tests')?.tally
  const ran = tests !== undefined && tests.passed + tests.failed > 0
  if (run.signal.aborted) say(run, '✗ stopped before the end')
  else if (!ran) say(run, '✗ no test ran')
  const complete = ran && !run.signal.aborted
  say(run, tallyLine(complete || total.failed > 0 ? total : { ...total, failed: 1 }))
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

/** A program that is not there fails like any other that does not run. */
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
    sayTimes(run, fileTimes(written, run.root))
    return countVitest(written, exitCode ?? 1)
  } finally {
    rmSync(reports, { recursive: true, force: true })
  }
}

/** What to look at when the run takes longer than its budget (CONTRIBUTING). */
function sayTimes(run: TestRun, files: readonly FileTime[]): void {
  if (files.length <= SLOWEST_SHOWN) return
  const line = ({ path, seconds }: FileTime) => `  ${seconds.toFixed(1).padStart(6)} s  ${path}`
  say(run, '\nSlowest test files')
  for (const file of files.slice(0, SLOWEST_SHOWN)) say(run, line(file))
  say(run, 'Test files per package, summed over two workers')
  for (const total of packageTimes(files)) say(run, line(total))
}

/** Shows what the program prints as it comes, in colours only where a person looks at it. */
function runOnNode(run: TestRun, args: readonly string[]): Promise<CommandResult> {
  const { root: cwd, env, signal, show } = run
  const colours = run.colours ? { FORCE_COLOR: '1' } : { NO_COLOR: '1' }
  return runCommand(process.execPath, args, {
    cwd,
    env: { ...env, ...colours },
    timeoutMs: null,
    signal,
    errors: 'shown',
    onOutput: show,
  })
}
