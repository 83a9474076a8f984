import type { PropertyId, TenantId } from '@melmastoon/domain'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bookingDesk, meet, mint, mintOne } from '../harness/handoff-client.ts'
import { aSearch, itemsOf, post } from '../harness/start-consumer.ts'
import { startWithSandbox } from '../harness/start-with-sandbox.ts'

/** The service beside the real upstreams, from the search to the hotel's door. */
let environment: Awaited<ReturnType<typeof startWithSandbox>>

beforeAll(async () => {
  environment = await startWithSandbox()
}, 120_000)
afterAll(() => environment[Symbol.asyncDispose]())

/** A second on a quiet machine. */
const PROMPTLY = { timeout: 5_000, interval: 10 }

it('C7 a traveller finds a hotel and arrives at its door; a suspended one is closed at once', async () => {
  const { url, internalUrl } = environment.service
  const found = await post(url, '/search', { json: aSearch() })
  const [card] = itemsOf(found)
  const tenantId = card?.tenantId as TenantId
  const target = { tenantId, propertyId: card?.propertyId as PropertyId }
  const { token, answer } = await mintOne(url, target)
  expect(answer.body['redirectUrl']).toContain(`https://${String(card?.['tenantSlug'])}.`)
  const desk = bookingDesk(internalUrl)
  expect((await desk.present(token, tenantId)).status).toBe(200)
  expect((await desk.present(token, tenantId)).status).toBe(409)

  const { token: onTheWay } = await mintOne(url, target)
  await environment.tenants.suspend(tenantId)
  // A newcomer each time: one guest may not ask for so many links.
  const statusNow = async () => (await mint(url, (await meet(url)).cookie, target)).status
  await expect.poll(statusNow, PROMPTLY).toBe(403)
  const refused = await desk.present(onTheWay, tenantId)
  expect([refused.status, refused.code]).toEqual([403, 'MELMASTOON.BFF.CONSUMER.TENANT_SUSPENDED'])

  await environment.tenants.reactivate(tenantId)
  await expect.poll(statusNow, { timeout: 10_000 }).toBe(201)
  expect((await desk.present(onTheWay, tenantId)).status).toBe(200)
})
