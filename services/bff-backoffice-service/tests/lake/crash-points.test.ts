import { afterAll, beforeAll, expect, it } from 'vitest'
import { exportDay } from '../../src/lake/export-day.ts'
import { rowsInLake, surviveCrash } from './crash-cases.ts'
import { type LakeSetup, ledgerDay, partitionName, startLake } from './lake-fixture.ts'

let setup: LakeSetup
beforeAll(async () => {
  setup = await startLake()
})
afterAll(() => setup[Symbol.asyncDispose]())

it.each([
  ['lake.after_rename', '2026-05-01'],
  ['lake.after_manifest', '2026-05-02'],
  ['lake.after_detach', '2026-05-03'],
])('STAFF-LAKE-01 killed at %s, the next run ends with the same rows', (crashAt, day) =>
  surviveCrash(setup, crashAt, day),
)

it('STAFF-LAKE-01 an exporter that deletes first loses the rows (control)', async () => {
  const day = '2026-05-04'
  await setup.addDay(day, 20)
  const { schema } = setup.environment
  await setup.environment.query(`truncate ${schema}.${partitionName(day)}`)
  expect(await exportDay(setup.deps, ledgerDay(day))).toBe('exported')
  expect(await rowsInLake(setup, day)).toHaveLength(0)
})
