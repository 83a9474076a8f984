import fc from 'fast-check'
import { expect, it } from 'vitest'
import { asAdmin, notesDatabase, open, SCHEMA } from './fixture.ts'
import { checkHistory, operations } from './tenant-model.ts'

it('RLS-20 random work of random tenants equals a map per tenant (4,000 operations)', async () => {
  await using database = await notesDatabase()
  await using db = open(database.appUrl, { poolMax: 2 })
  const property = fc.asyncProperty(operations(100), (history) => checkHistory(db, history))
  const { failed } = await fc.check(property, { numRuns: 40, endOnFailure: true })
  expect(failed).toBe(false)
})

it('RLS-20 the model notices when row security is off', async () => {
  await using database = await notesDatabase()
  const off = `alter table ${SCHEMA}.notes disable row level security`
  await asAdmin(database.adminUrl, (client) => client.query(off))
  await using db = open(database.appUrl, { poolMax: 2 })
  const property = fc.asyncProperty(operations(100), (history) => checkHistory(db, history))
  const { failed } = await fc.check(property, { numRuns: 5, endOnFailure: true })
  expect(failed).toBe(true)
})
