import { afterAll, beforeAll, it } from 'vitest'
import { CRASH_POINTS, surviveCrash } from './crash-cases.ts'
import { type LakeSetup, startLake } from './lake-fixture.ts'

let setup: LakeSetup
beforeAll(async () => {
  setup = await startLake()
})
afterAll(() => setup[Symbol.asyncDispose]())

it.each(
  CRASH_POINTS.map((point, at) => [point, `2026-06-${String(at + 1).padStart(2, '0')}`] as const),
)('STAFF-LAKE-01 killed at %s, the next run ends with the same rows', (crashAt, day) =>
  surviveCrash(setup, crashAt, day),
)
