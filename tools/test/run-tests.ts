import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { countMarks } from './count-marks.ts'
import { countVitest } from './count-vitest.ts'
import { runProgram } from './run-program.ts'
import { addTallies, type Tally, tallyLine } from './tally.ts'
import type { TestOptions } from './test-options.ts'

export interface TestRun {
  root: string
  options: TestOptions
  env: Readonly<Record<string, string | undefined>>
  signal: AbortSignal
  say: (line: string) => void
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
    run.say(`\n── ${part.name}`)
    const startedAt = performance.now()
    const tally = await part.run()
    done.push({ name: part.name, tally, seconds: (performance.now() - startedAt) / 1000 })
  }
  run.say('')
  for (const { name, tally, seconds } of done) {
    const mark = tally.failed === 0 ? '✓' : '✗'
    run.say(
      `${mark} ${name.padEnd(10)}${tallyLine(tally).padEnd(42)}${seconds.toFixed(1).padStart(6)} s`,
    )
  }
  return conclude(run, done)
}

function conclude(run: TestRun, done: readonly { name: string; tally: Tally }[]): boolean {
  const total = addTallies(done.map((part) => part.tally))
  const tests = done.find((part) => part.name === 'tests')?.tally
  const ran = tests !== undefined && tests.passed + tests.failed > 0
  if (run.signal.aborted) run.say('✗ stopped before the end')
  else if (!ran) run.say('✗ no test ran')
  const complete = ran && !run.signal.aborted
  run.say(tallyLine(complete || total.failed > 0 ? total : { ...total, failed: 1 }))
  return complete && total.failed === 0
}

function parts(run: TestRun): Part[] {
  const tests = { name: 'tests', run: () => runVitest(run) }
  if (run.options.faults) return [tests]
  return [
    ...optionalPart(run, 'checks', 'tools/check/run.ts'),
    tests,
    ...optionalPart(run, 'bench', 'bench/src/short.ts'),
  ]
}

function optionalPart(run: TestRun, name: string, file: string): Part[] {
  const { root: folder, env, signal } = run
  const program = join(folder, file)
  if (!existsSync(program)) return []
  const count = async () => {
    const { output, exitCode } = await runProgram({ args: [program], folder, env, signal })
    return countMarks(output, exitCode)
  }
  return [{ name, run: count }]
}

async function runVitest({ root: folder, options, env, signal }: TestRun): Promise<Tally> {
  const reports = mkdtempSync(join(tmpdir(), 'melmastoon-report-'))
  const report = join(reports, 'vitest.json')
  const vitest = join(folder, 'node_modules', 'vitest', 'vitest.mjs')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  try {
    const args = [vitest, 'run', ...reporters, ...options.vitestArguments]
    const { exitCode } = await runProgram({ args, folder, env, signal })
    return countVitest(existsSync(report) ? readFileSync(report, 'utf8') : null, exitCode)
  } finally {
    rmSync(reports, { recursive: true, force: true })
  }
}
