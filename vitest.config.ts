import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Modules have no state that a test could leave behind, and loading them again for each of three
 * hundred files would take longer than many of the tests.
 */
const ISOLATE = false

/** A condition that holds immediately on an idle machine may take seconds on a busy one. */
const pollFor = (timeout: number) => ({ poll: { timeout } })

/** Two more than cores: many tests wait for an expiry, a lease or a back-off. */
const WORKERS = 4

/** By default large files start first, and a long test in a small file is the last to end. */
const LONGEST = ['simulation/histories.test.ts', 'tools/check/checks.test.ts']

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification) =>
      LONGEST.some((name) => moduleId.endsWith(name))
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

/**
 * Three projects: `unit` needs nothing but Node; `integration` runs against the real Postgres and
 * the two real Redis instances that the global set-up starts for this run alone; `faults` kills,
 * suspends and disconnects such servers and takes minutes (`npm run test:faults`).
 */
export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: WORKERS,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'unit',
          isolate: ISOLATE,
          include: ['{packages,services,tools,bench}/**/src/**/*.test.ts', 'tools/**/*.test.ts'],
          exclude: ['**/node_modules/**', '**/*.faults.test.ts', 'tools/tests/**'],
          expect: pollFor(4_000),
        },
      },
      {
        test: {
          name: 'integration',
          isolate: ISOLATE,
          include: ['{packages,services}/*/tests/**/*.test.ts', 'tools/tests/**/*.test.ts'],
          exclude: ['**/node_modules/**', '**/*.faults.test.ts'],
          globalSetup: ['packages/testkit/src/global-setup.ts'],
          expect: pollFor(10_000),
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'faults',
          include: ['{packages,services,tools,bench}/**/*.faults.test.ts'],
          exclude: ['**/node_modules/**'],
          globalSetup: ['packages/testkit/src/global-setup.ts'],
          expect: pollFor(10_000),
          testTimeout: 120_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
})
