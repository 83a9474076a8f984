import { expect, it } from 'vitest'
import { countVitest, fileTimes, packageTimes } from './count-vitest.ts'

const file = (name: string, seconds: number) => ({
  name: `/repo/${name}`,
  status: 'passed',
  startTime: 1_000,
  endTime: 1_000 + seconds * 1_000,
  assertionResults: [{ status: 'passed' }],
})

const report = JSON.stringify({
  testResults: [
    file('packages/a/tests/one.test.ts', 2),
    file('packages/b/tests/two.test.ts', 5),
    file('packages/a/tests/three.test.ts', 4),
  ],
})

it('lists the slowest test files and packages first', () => {
  const files = fileTimes(report, '/repo')
  expect(files.map(({ seconds }) => seconds)).toEqual([5, 4, 2])
  expect(files[0]?.path).toBe('packages/b/tests/two.test.ts')
  expect(packageTimes(files)).toEqual([
    { path: 'packages/a', seconds: 6 },
    { path: 'packages/b', seconds: 5 },
  ])
})

it('counts a missing or unreadable report as one failure', () => {
  expect(countVitest(null, 0)).toEqual({ passed: 0, failed: 1, skipped: 0 })
  expect(countVitest('{', 0)).toEqual({ passed: 0, failed: 1, skipped: 0 })
  expect(countVitest(report, 0)).toEqual({ passed: 3, failed: 0, skipped: 0 })
})
