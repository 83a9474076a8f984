import { sharedMigrations } from '@melmastoon/chassis/db'
import { type ServiceDefinition, serviceMigrations } from '@melmastoon/chassis/service'
import { expect } from 'vitest'
import { readCatalogue } from '../schema/catalogue.ts'
import { compareTables } from '../schema/compare-tables.ts'
import { testDatabase } from '../test-database.ts'

/**
 * The tables that all services share are identical (D28): the service's own migrations do not
 * change them.
 */
export async function expectSharedTables(
  service: Pick<ServiceDefinition, 'config' | 'migrations' | 'idempotencyIsolation'>,
): Promise<void> {
  const { schema } = service.config
  const { idempotencyIsolation } = service
  const shared = await sharedMigrations({ schema, idempotencyIsolation })
  await using reference = await testDatabase({ schema, migrations: shared })
  await using own = await testDatabase({ schema, migrations: await serviceMigrations(service) })
  const expected = await readCatalogue(reference.adminUrl, schema)
  expect(expected.tables.length).toBeGreaterThan(0)
  expect(compareTables(expected, await readCatalogue(own.adminUrl, schema))).toEqual([])
}
