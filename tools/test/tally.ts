export interface Tally {
  passed: number
  failed: number
  skipped: number
}

const nothing: Tally = { passed: 0, failed: 0, skipped: 0 }

export function addTallies(tallies: readonly Tally[]): Tally {
  return tallies.reduce(
    (sum, { passed, failed, skipped }) => ({
      passed: sum.passed + passed,
      failed: sum.failed + failed,
      skipped: sum.skipped + skipped,
    }),
    nothing,
  )
}

/** The last line of every run. Other programs parse it: do not change its format. */
export function tallyLine({ passed, failed, skipped }: Tally): string {
  const line = `${passed} passed, ${failed} failed`
  return skipped === 0 ? line : `${line}, ${skipped} skipped`
}

export function parseTallyLine(output: string): Tally | null {
  const last = output.trimEnd().split('\n').at(-1) ?? ''
  const match = /^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/.exec(last)
  if (match === null) return null
  return { passed: Number(match[1]), failed: Number(match[2]), skipped: Number(match[3] ?? 0) }
}

/** A program that exits with an error has failed, whatever it counted. */
export function trustExit(tally: Tally, exitCode: number): Tally {
  return exitCode !== 0 && tally.failed === 0 ? { ...tally, failed: 1 } : tally
}
