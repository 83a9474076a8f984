import type { PropertyId, TenantId } from '@melmastoon/domain'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bookingService, mint, mintForNewGuest, startSession } from '../harness/handoff-client.ts'
import { itemsOf, post, searchRequest } from '../harness/start-consumer.ts'
import { startWithSandbox } from '../harness/start-with-sandbox.ts'

/** The service with the sandbox, from the search to the consumed booking link. */
let setup: Awaited<ReturnType<typeof startWithSandbox>>

beforeAll(async () => {
  setup = await startWithSandbox()
}, 120_000)
afterAll(() => setup[Symbol.asyncDispose]())

/** Takes about a second on an idle machine. */
const POLL_FAST = { timeout: 5_000, interval: 10 }

it('C7 a booking link of a found hotel is consumed once; suspending the tenant rejects links at once', async () => {
  const { url, internalUrl } = setup.service
  const found = await post(url, '/search', { json: searchRequest() })
  const [card] = itemsOf(found)
  const tenantId = card?.tenantId as TenantId
  const target = { tenantId, propertyId: card?.propertyId as PropertyId }
  const { token, response } = await mintForNewGuest(url, target)
  expect(response.body['redirectUrl']).toContain(`https://${String(card?.['tenantSlug'])}.`)
  const booking = bookingService(internalUrl)
  expect((await booking.present(token, tenantId)).status).toBe(200)
  expect((await booking.present(token, tenantId)).status).toBe(409)

  const { token: unused } = await mintForNewGuest(url, target)
  await setup.tenants.suspend(tenantId)
  // A new guest each time: the number of links per guest is limited.
  const statusNow = async () => (await mint(url, (await startSession(url)).cookie, target)).status
  await expect.poll(statusNow, POLL_FAST).toBe(403)
  const rejected = await booking.present(unused, tenantId)
  expect([rejected.status, rejected.code]).toEqual([
    403,
    'MELMASTOON.BFF.CONSUMER.TENANT_SUSPENDED',
  ])

  await setup.tenants.reactivate(tenantId)
  await expect.poll(statusNow, { timeout: 10_000 }).toBe(201)
  expect((await booking.present(unused, tenantId)).status).toBe(200)
})
