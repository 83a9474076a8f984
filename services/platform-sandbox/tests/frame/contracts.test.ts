import { testContracts, testDatabase } from '@melmastoon/testkit'
import { tenancyFindings, tenantTablesOf } from '@melmastoon/testkit/schema'
import { UPSTREAMS } from '@melmastoon/upstream-contracts'
import { expect, it } from 'vitest'
import { service } from '../../src/service.ts'
import { contracts } from '../start-sandbox.ts'

testContracts({
  service,
  contracts,
  module: new URL('../../src/service.ts', import.meta.url),
  committed: new URL('../../contracts/', import.meta.url),
})

it('the API contains every upstream and the script routes, but not the form routes', async () => {
  const { paths } = JSON.parse(await contracts.openApi()) as { paths: Record<string, unknown> }
  for (const upstream of UPSTREAMS) {
    const own = Object.keys(paths).filter((path) => path.startsWith(`/upstreams/${upstream}/`))
    expect(own.length, upstream).toBeGreaterThan(0)
  }
  expect(paths).toHaveProperty(['/admin/api/upstreams/{upstream}/break'])
  expect(paths).not.toHaveProperty(['/admin/upstreams/{upstream}/break'])
})

/** Read across tenants by design: public data of hotels. */
const CATALOGUE = [
  'pricing_property',
  'pricing_rate_plan',
  'property_house',
  'property_mark',
  'search_listing',
  'search_tenant',
  'tenant_account',
  'tenant_domain',
  'theme_theme',
  'theme_version',
]
/** Its key contains the tenant, and calls without one share it (D8). */
const SHARED = ['idempotency']

it('protects every table with guests, money or rooms', async () => {
  const { schema } = contracts
  await using database = await testDatabase({ schema, migrations: await contracts.migrations() })
  const options = { serviceScoped: [...CATALOGUE, ...SHARED] }
  expect(await tenancyFindings(database.adminUrl, schema, options)).toEqual([])
  const guarded = await tenantTablesOf(database.adminUrl, schema, options)
  const modules = new Set(guarded.map((table) => table.split('_')[0]))
  expect(modules).toEqual(
    new Set([
      'ai',
      'billing',
      'housekeeping',
      'iam',
      'inventory',
      'lock',
      'maintenance',
      'notification',
      'payment',
      'pricing',
      'reservation',
      'sync',
      'tenant',
    ]),
  )
  const all = await tenantTablesOf(database.adminUrl, schema)
  expect(all, 'an exemption that nothing needs').toEqual(expect.arrayContaining(CATALOGUE))
})
