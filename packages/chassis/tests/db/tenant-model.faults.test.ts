import fc from 'fast-check'
import { it } from 'vitest'
import { notesDatabase, open } from './fixture.ts'
import { checkHistory, operations } from './tenant-model.ts'

it('RLS-20 100,000 random operations have the same results as a map per tenant', {
  timeout: 600_000,
}, async () => {
  await using database = await notesDatabase()
  await using db = open(database.appUrl, { poolMax: 2 })
  const property = fc.asyncProperty(operations(100), (history) => checkHistory(db, history))
  await fc.assert(property, { numRuns: 1_000, endOnFailure: true })
})
