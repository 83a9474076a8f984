import { describe, expect, it } from 'vitest'
import { countMarks } from './count-marks.ts'
import { countVitest } from './count-vitest.ts'
import { addTallies, parseTallyLine, tallyLine } from './tally.ts'
import { parseTestOptions, testEnv } from './test-options.ts'

const test = (status: string) => ({ status })
const report = (...files: { status: string; assertionResults: { status: string }[] }[]) =>
  JSON.stringify({ testResults: files })

describe('the summary line', () => {
  it('mentions skipped tests only if there are any', () => {
    expect(tallyLine({ passed: 3, failed: 0, skipped: 0 })).toBe('3 passed, 0 failed')
    expect(tallyLine({ passed: 3, failed: 1, skipped: 2 })).toBe('3 passed, 1 failed, 2 skipped')
  })

  it('is added up and can be parsed', () => {
    const sum = addTallies([
      { passed: 1, failed: 2, skipped: 0 },
      { passed: 10, failed: 0, skipped: 1 },
    ])
    expect(parseTallyLine(`noise\n${tallyLine(sum)}\n`)).toEqual(sum)
    expect(parseTallyLine('1 passed, 0 failed\nnoise')).toBeNull()
  })
})

describe('countVitest', () => {
  it('counts tests by their outcome', () => {
    const tests = ['passed', 'passed', 'failed', 'skipped', 'todo'].map(test)
    expect(countVitest(report({ status: 'failed', assertionResults: tests }), 1)).toEqual({
      passed: 2,
      failed: 1,
      skipped: 2,
    })
  })

  it('counts a file that failed outside its tests', () => {
    const broken = { status: 'failed', assertionResults: [] }
    const hook = { status: 'failed', assertionResults: [test('passed')] }
    expect(countVitest(report(broken, hook), 1)).toMatchObject({ passed: 1, failed: 2 })
  })

  it('never reports a failed run as passed', () => {
    const good = report({ status: 'passed', assertionResults: [test('passed')] })
    expect(countVitest(good, 0)).toMatchObject({ passed: 1, failed: 0 })
    expect(countVitest(good, 1)).toMatchObject({ passed: 1, failed: 1 })
    expect(countVitest(null, 0)).toMatchObject({ failed: 1 })
    expect(countVitest('{', 0)).toMatchObject({ failed: 1 })
  })
})

describe('countMarks', () => {
  it('counts the lines of the checks', () => {
    const output = '✓ types        1.2 s\n✗ lint         0.3 s\n✗ a finding of lint\n'
    expect(countMarks(output, 1)).toEqual({ passed: 1, failed: 1, skipped: 0 })
  })

  it('prefers a summary that the program prints, and respects its exit code', () => {
    expect(countMarks('✓ a 1 s\n7 passed, 0 failed\n', 0)).toMatchObject({ passed: 7 })
    expect(countMarks('✓ a 1 s\n', 1)).toMatchObject({ passed: 1, failed: 1 })
    expect(countMarks('nothing to see', 0)).toMatchObject({ passed: 1, failed: 0 })
    expect(countMarks('', 1)).toMatchObject({ passed: 0, failed: 1 })
  })
})

describe('parseTestOptions', () => {
  it('runs unit and integration tests, or faults, or the named project', () => {
    const usual = ['--project=unit', '--project=integration']
    expect(parseTestOptions([], {})).toEqual({ testsOnly: false, vitestArguments: usual })
    expect(parseTestOptions(['-t', 'x'], {})).toEqual({
      testsOnly: true,
      vitestArguments: [...usual, '-t', 'x'],
    })
    expect(parseTestOptions(['--faults'], {})).toEqual({
      testsOnly: true,
      vitestArguments: ['--project=faults'],
    })
    expect(parseTestOptions(['--project', 'unit'], {}).vitestArguments).toEqual([
      '--project',
      'unit',
    ])
  })
})

describe('testEnv', () => {
  it('hides the caller’s servers from the tests', () => {
    const env = { DATABASE_URL: 'x', MELMASTOON_POSTGRES_PORT: '1', MELMASTOON_DATA: '/d', A: 'b' }
    expect(testEnv(env)).toEqual({ MELMASTOON_DATA: '/d', A: 'b' })
  })
})
