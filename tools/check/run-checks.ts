import type { Check } from './checks.ts'

interface Checked {
  readonly ok: boolean
  readonly output: string
  readonly seconds: number
}

/** Some tools use one core only, and all of them wait for files. */
const AT_ONCE = 2

/** Prints the results in the given order. A failure does not stop the others. */
export async function runChecks(checks: readonly Check[], root: string): Promise<number> {
  let failed = 0
  for (const { name, result } of startChecks(checks, root)) {
    const { ok, output, seconds } = await result
    if (!ok) failed += 1
    const mark = ok ? '✓' : '✗'
    console.log(`${mark} ${name.padEnd(12)}${seconds.toFixed(1).padStart(6)} s`)
    if (!ok) console.log(output.trimEnd())
  }
  return failed
}

/** A check starts when the one `AT_ONCE` before it has ended. */
function startChecks(checks: readonly Check[], root: string) {
  const started: { name: string; result: Promise<Checked> }[] = []
  for (const check of checks) {
    const turn = started.at(-AT_ONCE)?.result ?? Promise.resolve()
    started.push({ name: check.name, result: turn.then(() => runCheck(check, root)) })
  }
  return started
}

async function runCheck(check: Check, root: string): Promise<Checked> {
  const startedAt = performance.now()
  const { ok, output } = await check.run(root)
  return { ok, output, seconds: (performance.now() - startedAt) / 1000 }
}
