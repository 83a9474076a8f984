import { relative } from 'node:path'
import { type Tally, trustExit } from './tally.ts'

interface VitestFile {
  name: string
  status: string
  startTime: number
  endTime: number
  assertionResults: readonly { status: string }[]
}

export interface FileTime {
  readonly path: string
  readonly seconds: number
}

/**
 * Counts the results in vitest's JSON report. A file that failed outside its tests (while loading,
 * or in a hook) has no failed test and counts as one failure; so does a missing report.
 */
export function countVitest(report: string | null, exitCode: number): Tally {
  const files = report === null ? null : parseFiles(report)
  if (files === null) return { passed: 0, failed: 1, skipped: 0 }
  const statuses = files.flatMap((file) => file.assertionResults.map((test) => test.status))
  const count = (status: string) => statuses.filter((each) => each === status).length
  const passed = count('passed')
  const failedTests = count('failed')
  const skipped = statuses.length - passed - failedTests
  return trustExit(
    { passed, failed: failedTests + files.filter(failedOutsideTests).length, skipped },
    exitCode,
  )
}

/** How long each test file took, slowest first. */
export function fileTimes(report: string | null, root: string): FileTime[] {
  const files = (report === null ? null : parseFiles(report)) ?? []
  return files
    .map(({ name, startTime, endTime }) => ({
      path: relative(root, name),
      seconds: (endTime - startTime) / 1000,
    }))
    .toSorted((a, b) => b.seconds - a.seconds)
}

/** Seconds of all its test files per package or service, slowest first. */
export function packageTimes(files: readonly FileTime[]): FileTime[] {
  const packages = Map.groupBy(files, ({ path }) => path.split('/').slice(0, 2).join('/'))
  return [...packages]
    .map(([path, own]) => ({ path, seconds: own.reduce((sum, { seconds }) => sum + seconds, 0) }))
    .toSorted((a, b) => b.seconds - a.seconds)
}

function failedOutsideTests(file: VitestFile): boolean {
  return file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed')
}

function parseFiles(report: string): VitestFile[] | null {
  try {
    const { testResults } = JSON.parse(report)
    return Array.isArray(testResults) ? testResults : null
  } catch {
    return null
  }
}
