import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import {
  describeProgram,
  expectContractsUnchanged,
  expectNothingBroken,
  expectSharedTables,
  testDatabase,
} from '@melmastoon/testkit'
import { tenancyFindings, tenantTablesOf } from '@melmastoon/testkit/schema'
import { describe, expect, it } from 'vitest'
import { service } from '../../src/service.ts'
import { contracts } from '../harness/start-consumer.ts'

const committed = new URL('../../contracts/', import.meta.url)

describe('the contracts of the service', () => {
  it('are committed as the code has them', () => expectContractsUnchanged(contracts, committed))

  it('D28 leave the shared tables as in every service', () => expectSharedTables(service))

  it('break nobody who relies on the last version', async (ctx) => {
    const notCompared = await expectNothingBroken(contracts, committed)
    if (notCompared.length > 0) ctx.skip(notCompared.join('; '))
  })

  it('are described without any server, by a process that then ends', async () => {
    const code = describeProgram(new URL('../../src/service.ts', import.meta.url))
    const args = ['--input-type=module', '--eval', code]
    const run = promisify(execFile)
    await expect(run(process.execPath, args, { timeout: 20_000 })).resolves.toMatchObject({
      stderr: '',
    })
  })
})

/** `idempotency` and the outbox have the shared shape; no row of them names a tenant here. */
const SHARED = { serviceScoped: ['idempotency'] }

it('C16 no table belongs to a tenant', async () => {
  const { schema } = contracts
  await using database = await testDatabase({ schema, migrations: await contracts.migrations() })
  expect(await tenantTablesOf(database.adminUrl, schema, SHARED)).toEqual([])
  expect(await tenancyFindings(database.adminUrl, schema, SHARED)).toEqual([])
})
