import { migrate, rollback } from '@melmastoon/chassis/db'
import { serviceMigrations } from '@melmastoon/chassis/service'
import { type TestDatabase, testDatabase } from '@melmastoon/testkit'
import { type Catalogue, dumpSchema, readCatalogue } from '@melmastoon/testkit/schema'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { service } from '../../src/service.ts'
import { DOCUMENTED_TABLES, SHARED_NAMES } from './documented-names.ts'

const { schema } = service.config
let database: TestDatabase
let catalogue: Catalogue

beforeAll(async () => {
  database = await testDatabase({ schema, migrations: await serviceMigrations(service) })
  catalogue = await readCatalogue(database.adminUrl, schema)
})
afterAll(() => database[Symbol.asyncDispose]())

function table(name: string) {
  const found = catalogue.tables.find((each) => each.name === name)
  if (found === undefined) throw new Error(`no table ${name}`)
  return found
}

const isByTenant = (using: string | null) => using?.includes('current_tenant') === true

const actual = (name: string) => SHARED_NAMES[name] ?? name

describe.each(Object.entries(DOCUMENTED_TABLES))(
  'B14 table %s of the data model',
  (name, { columns, indexes = [], primaryKey, policy }) => {
    it('has every documented column', () => {
      const found = table(name).columns.map((column) => column.name)
      expect(found).toEqual(expect.arrayContaining(columns.map(actual)))
    })

    it('has every documented index', () => {
      const found = table(name).indexes.map((index) => index.name)
      expect(found).toEqual(expect.arrayContaining(indexes.map(actual)))
    })

    it('has the documented key', () => {
      const [column = '', type = ''] = primaryKey.split(' ')
      const found = table(name).columns.find((each) => each.name === actual(column))
      expect(found).toMatchObject({ type, notNull: true })
      const keys = table(name).indexes.filter(({ unique }) => unique)
      expect(keys.some(({ definition }) => definition.includes(`${actual(column)})`))).toBe(true)
    })

    it('has the documented policy, forced and with a check of written rows (D9)', () => {
      const { policies, rowSecurity, forceRowSecurity } = table(name)
      const found = policies.filter((each) => policy !== undefined && each.name === actual(policy))
      expect(found.map(({ using, check }) => [isByTenant(using), check === using])).toEqual(
        policy === undefined ? [] : [[true, true]],
      )
      expect([rowSecurity, forceRowSecurity]).toEqual(
        policy === undefined ? [false, false] : [true, true],
      )
    })
  },
)

it('the ledger has no default for its id: a random one belongs to no partition', () => {
  expect(table('operator_activity').columns.find(({ name }) => name === 'id')?.default).toBeNull()
})

it('B14 can be reverted and applied again', async () => {
  const migrations = await serviceMigrations(service)
  const options = { url: database.adminUrl, schema, migrations }
  const before = await dumpSchema(database.adminUrl, schema)
  const ours = migrations.length - migrations.findIndex(({ version }) => version === '0001_init')
  const reverted = await rollback({ ...options, count: ours })
  expect(reverted).toHaveLength(ours)
  expect(await dumpSchema(database.adminUrl, schema)).not.toContain('operator_activity')
  expect(await migrate(options)).toEqual(reverted.toReversed())
  expect(await dumpSchema(database.adminUrl, schema)).toBe(before)
})
