import { type Tally, trustExit } from './tally.ts'

interface VitestFile {
  status: string
  assertionResults: readonly { status: string }[]
}

/**
 * Counts vitest's JSON report. A file that broke outside of its tests (while loading, in a hook)
 * has no failed test to show for it and counts as one failure; so does a report that is missing.
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
    { passed, failed: failedTests + files.filter(brokeOutside).length, skipped },
    exitCode,
  )
}

function brokeOutside(file: VitestFile): boolean {
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
