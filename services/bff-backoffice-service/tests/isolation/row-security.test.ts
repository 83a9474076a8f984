import {
  createDatabase,
  type Database,
  rawSql,
  type Statement,
  sql,
  sqlStateOf,
} from '@melmastoon/chassis/db'
import { idToUuid, isProblem, newId, type TenantId } from '@melmastoon/domain'
import { startPgBouncer, type TestEnvironment } from '@melmastoon/testkit'
import { type CatalogueTable, tenancyFindings } from '@melmastoon/testkit/schema'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { keepActivityPartitions } from '../../src/activity/partition-keeper.ts'
import { openAs } from '../activity/activity-fixture.ts'
import { backofficeEnvironment } from '../harness/backoffice-environment.ts'
import { POLICIES } from '../schema/documented-names.ts'
import { insertFor, tenantTables } from './tenant-rows.ts'

const [mine, theirs] = [newId('tnt'), newId('tnt')]
let environment: TestEnvironment
let app: Database
let tables: CatalogueTable[]

beforeAll(async () => {
  environment = await backofficeEnvironment()
  app = openAs(environment, 'app')
  await using relay = openAs(environment, 'relay')
  await keepActivityPartitions(relay)
  tables = await tenantTables(environment)
  for (const table of tables) {
    for (const tenantId of [mine, theirs]) {
      const { text, values } = insertFor(table, tenantId)
      await environment.query(text.replace('into ', `into ${environment.schema}.`), values)
    }
  }
})
afterAll(async () => {
  await app[Symbol.asyncDispose]()
  await environment[Symbol.asyncDispose]()
})

/** Of tables that are not in the data model: named like those that are. */
const ownPolicies = () =>
  Object.fromEntries(
    tables.flatMap(({ name, policies }) => {
      const isolation = policies.find((policy) => policy.name.endsWith('_iso'))
      return isolation === undefined ? [] : [[name, isolation.name]]
    }),
  )

const OPTIONS = () => ({
  policies: { ...ownPolicies(), ...POLICIES },
  appenders: [`${environment.schema}_ledger`],
  // Primary keys of the data model on an id that is random, or a ULID (D28).
  randomKeys: tables.map(({ name }) => `${name}_pkey`),
})

const findings = () => tenancyFindings(environment.adminUrl, environment.schema, OPTIONS())

const tenantsIn = (table: string): Statement<{ tenant: string }> =>
  sql<{ tenant: string }>`select tenant_id::text as tenant from ${rawSql(table)}`

const stateOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: unknown) =>
      isProblem(error) && sqlStateOf(error) === 'MT001' ? 'no tenant' : (sqlStateOf(error) ?? 'x'),
  )

describe('row-level security of the back office', () => {
  it('RLS-01 to RLS-03 every table with a tenant is isolated, partitions included', async () => {
    expect(await findings()).toEqual([])
    expect(tables.length).toBeGreaterThanOrEqual(7)
  })

  it.each([
    ['a policy is missing', 'drop policy oaq_iso on SCHEMA.offline_action_queue_hints'],
    ['not forced', 'alter table SCHEMA.alert_ack_log no force row level security'],
    ['a granted partition', 'grant select on SCHEMA.PARTITION to SCHEMA_app'],
    [
      'a ledger that reads',
      'create policy p on SCHEMA.operator_activity to SCHEMA_ledger using (true)',
    ],
  ])('RLS-01 is found: %s (control)', async (_, ddl) => {
    await using own = await backofficeEnvironment()
    await using relay = openAs(own, 'relay')
    await keepActivityPartitions(relay)
    const [part] = await own.query<{ name: string }>(
      `select relname as name from pg_class where relispartition and relkind = 'r' limit 1`,
    )
    const text = ddl.replaceAll('PARTITION', part?.name ?? '').replaceAll('SCHEMA', own.schema)
    await own.query(text)
    expect(await tenancyFindings(own.adminUrl, own.schema, OPTIONS())).toHaveLength(1)
  })

  it('RLS-04 nothing can be read without a tenant', async () => {
    for (const { name } of tables) {
      expect([name, await stateOf(app.query(tenantsIn(name)))]).toEqual([name, 'no tenant'])
    }
  })

  it('RLS-05 an unknown tenant has no rows, the own one has its own only', async () => {
    for (const { name } of tables) {
      expect(await app.tenantQuery(newId('tnt'), tenantsIn(name))).toEqual([])
      expect([name, await app.tenantQuery(mine, tenantsIn(name))]).toEqual([
        name,
        [{ tenant: idToUuid(mine) }],
      ])
    }
  })

  it('RLS-06 no row is written for another tenant, changed or deleted', async () => {
    for (const table of tables) {
      const insertion = app.tenantQuery(mine, insertFor(table, theirs))
      expect([table.name, await stateOf(insertion)]).toEqual([table.name, '42501'])
      for (const verb of [
        `update ${table.name} set tenant_id = tenant_id`,
        `delete from ${table.name}`,
      ]) {
        const where = `where tenant_id = '${idToUuid(theirs)}' returning 1`
        const changed = app.tenantQuery(mine, sql`${rawSql(`${verb} ${where}`)}`)
        expect(await changed.catch((error: unknown) => sqlStateOf(error))).toSatisfy(
          (result) => result === '42501' || (Array.isArray(result) && result.length === 0),
        )
      }
    }
  })
})

type Read = (tenantId: TenantId, table: string) => Promise<{ tenant: string }[]>

/** Interleaved reads of two tenants, some of which fail, on the two connections of a pool. */
async function storm(read: Read, failing: Pick<Database, 'tenantQuery'> = app) {
  let foreign = 0
  const one = async (at: number) => {
    const tenantId = at % 2 === 0 ? mine : theirs
    const table = tables[at % tables.length]?.name ?? ''
    if (at % 7 === 0) await failing.tenantQuery(tenantId, sql`select 1 / 0`).catch(() => undefined)
    const rows = await read(tenantId, table)
    if (rows.some(({ tenant }) => tenant !== idToUuid(tenantId))) foreign += 1
  }
  for (let round = 0; round < 20; round += 1) {
    await Promise.all(Array.from({ length: 30 }, (_, at) => one(round * 30 + at)))
  }
  return foreign
}

describe('shared connections', () => {
  it('RLS-07, RLS-08 600 interleaved requests with failures see no foreign row', async () => {
    expect(await storm((tenantId, table) => app.tenantQuery(tenantId, tenantsIn(table)))).toBe(0)
  })

  it('RLS-09 nor do they through PgBouncer in transaction mode', async (context) => {
    const bouncer = await startPgBouncer(String(environment.env['DATABASE_APP_URL']), {
      poolSize: 2,
    })
    if (!bouncer.available) return context.skip(`no PgBouncer here: ${bouncer.reason}`)
    await using _stopped = bouncer
    const { url } = bouncer
    const onError = () => undefined
    await using pooled = createDatabase({ url, poolMax: 8, preparedStatements: false, onError })
    const read: Read = (tenantId, table) => pooled.tenantQuery(tenantId, tenantsIn(table))
    expect(await storm(read, pooled)).toBe(0)
    // The control: a tenant that is set for the session stays with the connection.
    const leaking: Read = async (tenantId, table) => {
      await pooled.query(sql`select set_config('app.tenant_id', ${idToUuid(tenantId)}, false)`)
      // Rejected on a connection that PgBouncer has just opened: it has no tenant yet.
      return await pooled.query(tenantsIn(table)).catch(() => [])
    }
    expect(await storm(leaking, pooled)).toBeGreaterThan(0)
  })

  it('RLS-10 a tenant set for the session is detected by the same requests (control)', async () => {
    await using leaking = openAs(environment, 'app')
    const read = async (tenantId: TenantId, table: string) => {
      const set = sql`select set_config('app.tenant_id', ${idToUuid(tenantId)}, false)`
      await leaking.query(set)
      return leaking.query(tenantsIn(table))
    }
    expect(await storm(read)).toBeGreaterThan(0)
  })
})

it('RLS-20 random operations of random tenants have the results of a map per tenant', async () => {
  const tenants = Array.from({ length: 5 }, () => newId('tnt'))
  const model = new Map(tenants.map((tenantId) => [tenantId, new Map<string, number>()]))
  const own = tables.filter(({ grants }) =>
    grants.some(({ role, privilege }) => role.endsWith('_app') && privilege === 'INSERT'),
  )
  const differences: string[] = []
  let reads = 0
  let state = 20_261_116
  const random = (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
  for (let at = 0; at < 400; at += 1) {
    const tenantId = tenants[random(tenants.length)]
    const table = own[random(own.length)]
    if (tenantId === undefined || table === undefined) throw new TypeError('no choice')
    const counts = model.get(tenantId)
    if (random(3) === 0) {
      await app.tenantQuery(tenantId, insertFor(table, tenantId))
      counts?.set(table.name, (counts.get(table.name) ?? 0) + 1)
    } else {
      const rows = await app.tenantQuery(tenantId, tenantsIn(table.name))
      if (rows.length !== (counts?.get(table.name) ?? 0)) differences.push(`${at} ${table.name}`)
      reads += 1
    }
  }
  expect(differences).toEqual([])
  expect(reads).toBeGreaterThan(100)
})
