import { createDatabase } from '@melmastoon/chassis/db'
import { idToUuid } from '@melmastoon/domain'
import { tenantContract } from '@melmastoon/upstream-contracts/tenant'
import { themeContract } from '@melmastoon/upstream-contracts/theme'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { seedTenant } from '../../src/modules/tenant/seed-tenant.ts'
import { seedTheme } from '../../src/modules/theme/seed-theme.ts'
import {
  clientFor,
  type RunningSandbox,
  sandboxEnvironment,
  startSandbox,
  type TestEnvironment,
} from '../start-sandbox.ts'
import { worldOf } from '../tenant/world-fixture.ts'

const TENANTS = 3_000

let environment: TestEnvironment
let sandbox: RunningSandbox
const world = worldOf(TENANTS)

beforeAll(async () => {
  environment = await sandboxEnvironment()
  sandbox = await startSandbox(environment)
  await using db = createDatabase({
    url: environment.relayUrl,
    poolMax: 1,
    onError: () => undefined,
  })
  await seedTenant(db, world)
  await seedTheme(db, world)
})

afterAll(async () => {
  await sandbox[Symbol.asyncDispose]()
  await environment[Symbol.asyncDispose]()
})

it('creates the slug, settings and published theme of every tenant', async () => {
  const [rich] = world.tenants
  if (rich === undefined) throw new TypeError('an empty world')
  const tenants = clientFor(tenantContract, sandbox.url)
  const tenant = await tenants.resolveDomain({ params: { domain: 'hotel-0.example' } })
  expect(tenant).toMatchObject({ tenantId: rich.tenantId, slug: 'hotel-0', status: 'active' })
  expect(tenant.config).toMatchObject({ version: 1, paymentEnabled: true, checkInTime: '14:00' })
  const themes = clientFor(themeContract, sandbox.url)
  const theme = await themes.getPublished({ params: { tenantId: rich.tenantId } })
  expect(theme).toMatchObject({ version: 1, brandName: rich.displayName, layoutPreset: 'quiet' })
})

it('is idempotent', async () => {
  await using db = createDatabase({
    url: environment.relayUrl,
    poolMax: 1,
    onError: () => undefined,
  })
  await seedTenant(db, world)
  await seedTheme(db, world)
  const tables = ['tenant_account', 'tenant_domain', 'theme_theme', 'theme_version']
  const counts = await Promise.all(tables.map((table) => environment.countRows(table)))
  expect(counts).toEqual([TENANTS, TENANTS / 10, TENANTS, TENANTS])
})

it('reads a page of brands by the index of published versions', async () => {
  await environment.query('analyze sandbox.theme_version')
  const requested = world.tenants.slice(0, 50).map(({ tenantId }) => idToUuid(tenantId))
  const plan = await environment.query(
    `explain select version from sandbox.theme_version
     where tenant_id = any ($1::uuid[]) and status = 'published'`,
    [requested],
  )
  expect(JSON.stringify(plan)).toContain('Index Scan using ux_theme_version_published')
})
