import { expect, it } from 'vitest'
import { createDatabase } from '../../src/db/index.ts'
import { mutatingRoutesWithoutIdempotency } from '../../src/http/index.ts'
import { createTestApp } from '../idempotency/_app.ts'
import { TEST_SECRET } from '../idempotency/_database.ts'
import { startTestApp } from './_app.ts'

it('P7 finds the routes that may change something twice', async () => {
  await using service = await startTestApp()
  expect(mutatingRoutesWithoutIdempotency(service.app)).toEqual([
    'DELETE /notes/:id',
    'POST /notes',
  ])
})

it('P7 finds nothing where every mutation has a key', async () => {
  const nowhere = { url: 'postgres://nobody@127.0.0.1:1/nowhere', poolMax: 1 }
  await using db = createDatabase({ ...nowhere, onError: () => undefined })
  const upstreamUrl = 'http://127.0.0.1:1'
  const options = { db, schema: 'guest_book', secret: TEST_SECRET, upstreamUrl, leaseMs: 1_000 }
  const app = await createTestApp(options)
  expect(mutatingRoutesWithoutIdempotency(app)).toEqual([])
  await app.close()
})
