import { parseTallyLine, type Tally, trustExit } from './tally.ts'

/**
 * Counts the results of a program that prints its own tally, or one line `✓ name 1.2 s` or
 * `✗ name 1.2 s` for each check. One that prints neither counts as a single check.
 */
export function countMarks(output: string, exitCode: number): Tally {
  const own = parseTallyLine(output)
  if (own !== null) return trustExit(own, exitCode)
  const marks = [...output.matchAll(/^([✓✗]) \S.*\d s$/gm)].map((match) => match[1])
  if (marks.length === 0)
    return { passed: exitCode === 0 ? 1 : 0, failed: exitCode === 0 ? 0 : 1, skipped: 0 }
  const failed = marks.filter((mark) => mark === '✗').length
  return trustExit({ passed: marks.length - failed, failed, skipped: 0 }, exitCode)
}
