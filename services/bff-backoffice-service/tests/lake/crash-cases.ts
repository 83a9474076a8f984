import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { spawnProcess } from '@melmastoon/testkit'
import { expect } from 'vitest'
import { OPERATOR_ACTIVITY } from '../../src/lake/lake-tables.ts'
import { type LakeSetup, partitionName } from './lake-fixture.ts'
import { readLake } from './read-lake.ts'

const ENTRY = new URL('./export-process.ts', import.meta.url)

/** In their order: of the export, then of the deletion. */
export const CRASH_POINTS = [
  'lake.after_begin',
  'lake.after_scan',
  'lake.after_write',
  'lake.after_read_back',
  'lake.after_rename',
  'lake.after_manifest',
  'lake.after_detach',
  'lake.after_drop',
]

function run({ environment, folder }: LakeSetup, crashAt: string) {
  const args = [environment.relayUrl, folder]
  const env = { NODE_ENV: 'test', MELMASTOON_CRASH_AT: crashAt }
  return spawnProcess(ENTRY, { args, env })
}

const COLUMNS = 'id::text as id, operator_id, outcome, resource_id'

/** A run that is killed at the point, then one that is not: the lake has the rows of before. */
export async function surviveCrash(setup: LakeSetup, crashAt: string, day: string): Promise<void> {
  await setup.addDay(day, 20)
  const { schema } = setup.environment
  const before = await setup.environment.query(
    `select ${COLUMNS} from ${schema}.${partitionName(day)} order by id`,
  )
  const killed = await run(setup, crashAt).exited
  expect([crashAt, killed.signal]).toEqual([crashAt, 'SIGKILL'])
  const again = await setup.runExport(OPERATOR_ACTIVITY)
  expect(again).toMatchObject({ failed: 0, kept: 0 })
  expect(before).toHaveLength(20)
  expect(await rowsInLake(setup, day)).toEqual(before)
  await expect(setup.count(partitionName(day))).rejects.toThrow('does not exist')
  expect(await statesOf(setup, day)).toEqual([{ state: 'pruned' }])
  const names = await readdir(
    join(setup.folder, 'table=operator_activity', `month=${day.slice(0, 7)}`),
  )
  expect(names.filter((name) => name.includes('tmp'))).toEqual([])
}

export function rowsInLake({ folder }: LakeSetup, day: string) {
  return readLake(
    folder,
    OPERATOR_ACTIVITY,
    `select ${COLUMNS} from operator_activity where occurred_at::date = '${day}' order by id`,
  )
}

function statesOf({ environment }: LakeSetup, day: string) {
  return environment.query(`select state from ${environment.schema}.lake_export where day = $1`, [
    day,
  ])
}
