import fc from 'fast-check'
import { expect, it } from 'vitest'
import { asAdmin, notesDatabase, open, SCHEMA } from './fixture.ts'
import { checkHistory, operations } from './tenant-model.ts'

it('RLS-20 4,000 random operations have the same results as a map per tenant', async () => {
  await using database = await notesDatabase()
  await using db = open(database.appUrl, { poolMax: 2 })
  const property = fc.asyncProperty(operations(100), (history) => checkHistory(db, history))
  const { failed } = await fc.check(property, { numRuns: 40, endOnFailure: true })
  expect(failed).toBe(false)
})

it('RLS-20 control: the model detects disabled row security', async () => {
  await using database = await notesDatabase()
  const off = `alter table ${SCHEMA}.notes disable row level security`
  await asAdmin(database.adminUrl, (client) => client.query(off))
  await using db = open(database.appUrl, { poolMax: 2 })
  const property = fc.asyncProperty(operations(100), (history) => checkHistory(db, history))
  const { failed } = await fc.check(property, { numRuns: 5, endOnFailure: true })
  expect(failed).toBe(true)
})
