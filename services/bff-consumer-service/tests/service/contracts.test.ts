import { testContracts, testDatabase } from '@melmastoon/testkit'
import { tenancyFindings, tenantTablesOf } from '@melmastoon/testkit/schema'
import { expect, it } from 'vitest'
import { service } from '../../src/service.ts'
import { contracts } from '../harness/start-consumer.ts'

testContracts({
  service,
  contracts,
  module: new URL('../../src/service.ts', import.meta.url),
  committed: new URL('../../contracts/', import.meta.url),
})

/** `idempotency` and the outbox have the shared shape; in this service no row names a tenant. */
const SHARED = { serviceScoped: ['idempotency'] }

it('C16 no table is tenant-scoped', async () => {
  const { schema } = contracts
  await using database = await testDatabase({ schema, migrations: await contracts.migrations() })
  expect(await tenantTablesOf(database.adminUrl, schema, SHARED)).toEqual([])
  expect(await tenancyFindings(database.adminUrl, schema, SHARED)).toEqual([])
})
