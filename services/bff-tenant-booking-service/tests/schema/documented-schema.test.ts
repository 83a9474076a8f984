import {
  isDevelopmentData,
  migrate,
  readMigrations,
  rollback,
  sharedMigrations,
} from '@melmastoon/chassis/db'
import { type TestDatabase, testDatabase } from '@melmastoon/testkit'
import {
  type Catalogue,
  dumpSchema,
  readCatalogue,
  tenancyFindings,
} from '@melmastoon/testkit/schema'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DOCUMENTED_MIGRATIONS, DOCUMENTED_TABLES, MOVED_INDEXES } from './documented-names.ts'

const SCHEMA = 'bff_tenant_booking'
const own = new URL('../../src/migrations/', import.meta.url)

let database: TestDatabase
let catalogue: Catalogue

beforeAll(async () => {
  const shared = await sharedMigrations({ schema: SCHEMA, idempotencyIsolation: true })
  const ours = await readMigrations(own, { schema: SCHEMA })
  const migrations = [...shared, ...ours.filter((migration) => !isDevelopmentData(migration))]
  database = await testDatabase({ schema: SCHEMA, migrations })
  catalogue = await readCatalogue(database.adminUrl, SCHEMA)
})
afterAll(() => database[Symbol.asyncDispose]())

function table(name: string) {
  const found = catalogue.tables.find((each) => each.name === name)
  if (found === undefined) throw new Error(`no table ${name}`)
  return found
}

describe.each(Object.entries(DOCUMENTED_TABLES))(
  'table %s of the data model',
  (name, documented) => {
    it('has every documented column', () => {
      const columns = table(name).columns.map((column) => column.name)
      expect(columns).toEqual(expect.arrayContaining([...documented.columns]))
    })

    it('has every documented index', () => {
      for (const index of documented.indexes ?? []) {
        const place = table(MOVED_INDEXES[index] ?? name)
        expect(place.indexes.map((each) => each.name)).toContain(index)
      }
    })

    it('has the documented key', () => {
      const [column = '', type = ''] = documented.primaryKey.split(' ')
      expect(table(name).columns.find((each) => each.name === column)).toMatchObject({ type })
      const keys = table(name).indexes.filter(({ unique }) => unique)
      expect(keys.some(({ definition }) => definition.includes(column))).toBe(true)
    })

    it('has every documented policy, forced and with a check of written rows (D9)', () => {
      const { policies, rowSecurity, forceRowSecurity } = table(name)
      for (const policy of documented.policies ?? []) {
        const found = policies.find((each) => each.name === policy)
        expect(found?.using).toContain('current_tenant')
        expect(found?.check).toBe(found?.using)
        expect([rowSecurity, forceRowSecurity]).toEqual([true, true])
      }
    })
  },
)

it('T16 isolates every table with a tenant (RLS-01 to RLS-03)', async () => {
  const findings = await tenancyFindings(database.adminUrl, SCHEMA, {
    randomKeys: ['pk_booking_draft_snapshots', 'pk_handoff_arrival_log'],
  })
  expect(findings).toEqual([])
})

it('has the documented migrations with a down file each, named as documented', async () => {
  const migrations = await readMigrations(own, { schema: SCHEMA })
  const documented = migrations.filter(({ version }) => DOCUMENTED_MIGRATIONS.includes(version))
  expect(documented.map(({ version }) => version)).toEqual(DOCUMENTED_MIGRATIONS)
  expect(documented.filter(({ down }) => down === undefined)).toEqual([])
})

it('can be reverted and applied again, development data included', async () => {
  const shared = await sharedMigrations({ schema: SCHEMA, idempotencyIsolation: true })
  const ours = await readMigrations(own, { schema: SCHEMA })
  await using other = await testDatabase({ schema: SCHEMA, migrations: shared })
  const options = { url: other.adminUrl, schema: SCHEMA, migrations: [...shared, ...ours] }
  const versions = ours.map(({ version }) => version)
  expect(await migrate(options)).toEqual(versions)
  const before = await dumpSchema(other.adminUrl, SCHEMA)
  expect(await rollback({ ...options, count: ours.length })).toEqual(versions.toReversed())
  expect(await dumpSchema(other.adminUrl, SCHEMA)).not.toContain('handoff_arrival_log')
  expect(await migrate(options)).toEqual(versions)
  expect(await dumpSchema(other.adminUrl, SCHEMA)).toBe(before)
})
