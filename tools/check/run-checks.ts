import type { Check } from './checks.ts'

/**
 * Runs the checks one after another, since most of them use every core. A failure does not stop the
 * others, so that one run shows all problems.
 */
export async function runChecks(checks: readonly Check[], root: string): Promise<number> {
  let failed = 0
  for (const check of checks) {
    const startedAt = performance.now()
    const result = await check.run(root)
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
    if (!result.ok) failed += 1
    console.log(`${result.ok ? '✓' : '✗'} ${check.name.padEnd(12)}${seconds.padStart(6)} s`)
    if (!result.ok) console.log(result.output.trimEnd())
  }
  return failed
}
