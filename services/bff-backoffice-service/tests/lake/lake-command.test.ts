import { afterAll, beforeAll, expect, it } from 'vitest'
import { lakeFolder } from '../../src/config.ts'
import { exportDay } from '../../src/lake/export-day.ts'
import { createLakeCommand } from '../../src/lake/lake-command.ts'
import { type LakeSetup, ledgerDay, startLake } from './lake-fixture.ts'

let setup: LakeSetup
beforeAll(async () => {
  setup = await startLake()
  await setup.addDay('2026-07-01', 6)
  await exportDay(setup.deps, ledgerDay('2026-07-01'))
})
afterAll(() => setup[Symbol.asyncDispose]())

async function lake(...words: string[]) {
  const lines: string[] = []
  const run = createLakeCommand(lakeFolder)
  const exitCode = await run(words, { LAKE_DIR: setup.folder }, (line) => lines.push(line))
  return { exitCode, lines }
}

it('B15 reads the tables of the lake, also those without files', async () => {
  const query = `select outcome, count(*) as n from operator_activity
    where month = '2026-07' group by all order by 1`
  expect(await lake(query)).toEqual({
    exitCode: 0,
    lines: ['outcome  n', 'failure  3', 'success  3'],
  })
  expect((await lake('select count(*) as n from ai_decision_log')).lines).toEqual(['n', '0'])
})

it('reads published files and nothing else', async () => {
  const file = `${setup.folder}/x.parquet`
  for (const text of [
    `copy operator_activity to '${file}'`,
    'drop view operator_activity',
    'select 1; select 2',
    "select * from read_csv('/etc/passwd')",
    "select * from glob('/etc/*')",
    'set enable_external_access = true',
  ]) {
    expect([text, (await lake(text)).exitCode]).toEqual([text, 1])
  }
  expect((await lake()).exitCode).toBe(2)
})

it('explains itself, and names what is missing', async () => {
  for (const word of ['--help', '-h']) {
    const { exitCode, lines } = await lake(word)
    expect([exitCode, lines.join()]).toEqual([0, expect.stringContaining('finished days')])
  }
  expect(await lake(' ')).toMatchObject({ exitCode: 2, lines: [expect.stringMatching('tables:')] })
  const nothing = { exitCode: 1, lines: ['expected one statement: there is none'] }
  for (const text of ['--comment', ';']) expect([text, await lake(text)]).toEqual([text, nothing])
})
