import { newId } from '@melmastoon/domain'
import { KeyRing } from '@melmastoon/security'
import {
  type Browser,
  ExampleRequests,
  type ExampleSubstitutes,
  idsIn,
  send as sendRequest,
} from '@melmastoon/testkit'
import type { PropertyDetail } from '@melmastoon/upstream-contracts/property'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { PROPERTY_ID } from '../../src/http/examples/example-stay.ts'
import { newHandoff, tokenOf } from '../handoff/arrival-setup.ts'
import { contracts, HANDOFF_KEYS } from '../harness/booking-environment.ts'
import { createDesk, freshStay } from '../harness/booking-flow.ts'
import type { Guest } from '../harness/site.ts'
import { type Booking, SLUG, startWithSandbox } from '../harness/start-booking.ts'
import { createStaff, hotelOf } from '../harness/stays.ts'
import { postWebhook } from '../payments/webhook-relay.ts'

type Json = Readonly<Record<string, unknown>>

let booking: Booking
let hotel: PropertyDetail
let guest: Guest
let browser: Browser
let examples: ExampleRequests
const received = new Map<string, Json>()

beforeAll(async () => {
  examples = await ExampleRequests.read(contracts)
  // The world of `npm start`: its ids are those in the examples.
  booking = await startWithSandbox({ worldSeed: 'melmastoon' })
  const propertyId = PROPERTY_ID as PropertyDetail['propertyId']
  hotel = { ...(await hotelOf(booking, SLUG)), propertyId }
  guest = await booking.site.guest()
  browser = guest.at({ base: '' })
})
afterAll(() => booking[Symbol.asyncDispose]())

interface Substitutes extends ExampleSubstitutes {
  readonly key?: string
}

/** Sends the example of an operation as it is documented. */
async function send(id: string, { parameters, body, key }: Substitutes = {}) {
  const request = examples.requestOf(id, {
    parameters: { tenantSlug: SLUG, ...parameters },
    ...(body !== undefined && { body }),
  })
  return await browser.send(request.method, request.path, {
    headers: request.headers,
    ...(request.method !== 'GET' && { key: key ?? newId('req') }),
    ...(request.body !== undefined && { json: request.body }),
  })
}

async function accepted(id: string, substitutes?: Substitutes): Promise<Json> {
  const { status, text, body } = await send(id, substitutes)
  expect(status, `${id}: ${text}`).toBeLessThan(300)
  received.set(id, body)
  return body
}

const at = (draftId: unknown) => ({ parameters: { draftId } })

/** A draft with the details of the guest, from the examples. */
async function draftWithDetails(): Promise<Json> {
  const quote = await accepted('booking.quote.create', { body: { stay: freshStay(hotel) } })
  const { quoteId, digest } = quote
  const { draftId } = await accepted('booking.hold.place', { body: { quoteId, digest } })
  await accepted('booking.draft.save-details', at(draftId))
  return await accepted('booking.draft.get', at(draftId))
}

it('P14 the examples of the session and of the first pages are accepted', async () => {
  await accepted('booking.bootstrap.get')
  await accepted('booking.policy.list')
  const stay = freshStay(hotel)
  const { rooms } = await accepted('booking.availability.read', { parameters: { ...stay } })
  expect(rooms).not.toEqual([])
  const { parameters } = examples.operation('booking.key.read')
  await accepted('booking.locale.set', { key: String(parameters['key']) })
  await accepted('booking.key.read')
  await accepted('booking.currency.set')
  await accepted('booking.consent.set')
  const token = tokenOf(newHandoff({ tenantId: hotel.tenantId }), {
    ring: KeyRing.parse(HANDOFF_KEYS),
  })
  await accepted('booking.handoff.consume', { body: { token } })
})

it('P14 the examples of a booking lead from the quote to the payment', async () => {
  const { draftId } = await draftWithDetails()
  await createStaff(booking, hotel).changePrices(10_100)
  const { draft } = await accepted('booking.hold.extend', at(draftId))
  const { digest } = (draft as { changedTerms: Json }).changedTerms
  await accepted('booking.price.accept', { ...at(draftId), body: { digest } })
  await accepted('booking.payment.request', at(draftId))
  const returned = await send('booking.payment.return', at(draftId))
  expect([returned.status, returned.headers.get('retry-after')]).toEqual([202, '2'])
  expect((await send('booking.draft.confirm', at(draftId))).status).toBe(202)
  await accepted('booking.draft.delete', at(draftId))
})

it('P14 the examples of a confirmation and of a webhook are accepted', async () => {
  const { draftId } = await draftWithDetails()
  await guest.post(`/draft/${String(draftId)}/payment-intent`, { method: 'cash_on_arrival' })
  await accepted('booking.draft.confirm', at(draftId))
  const reservationId = await createDesk(booking, hotel).idOf(String(draftId))
  await accepted('booking.confirmation.read', { parameters: { reservationId } })
  await accepted('booking.confirmation.calendar', { parameters: { reservationId } })
  const { body } = examples.requestOf('booking.payment.webhook')
  expect((await postWebhook(booking.service.url, JSON.stringify(body))).status).toBe(200)
})

it('C21 the messages need no session, at both addresses of the API', async () => {
  const { operation } = examples.requestOf('booking.message.list')
  const [example] = operation.responses[0]?.examples ?? []
  for (const base of ['/bff/tenant-booking/v1', '/api']) {
    const response = await sendRequest(booking.service.url, 'GET', `${base}/messages/prs`)
    expect([response.status, response.headers.get('content-language')]).toEqual([200, 'fa-AF'])
    expect(response.body).toMatchObject(example as Json)
    expect(response.headers.get('set-cookie')).toBeNull()
    const headers = { 'if-none-match': response.headers.get('etag') ?? '' }
    const again = await sendRequest(booking.service.url, 'GET', `${base}/messages/fa`, { headers })
    expect(again.status).toBe(304)
    const unknown = await sendRequest(booking.service.url, 'GET', `${base}/messages/de`)
    expect([unknown.status, unknown.body['code']]).toEqual([
      422,
      'MELMASTOON.BFF.TENANT.LOCALE_NOT_SUPPORTED',
    ])
  }
})

it('P14 the example of every operation was sent', () => {
  expect(examples.unused()).toEqual([])
})

it('P14 the ids in the examples are those of the demo world', () => {
  const known = idsIn([...received.values()])
  const shown = examples.shownIds()
  expect(shown.size).toBeGreaterThan(4)
  expect([...shown].filter((id) => !known.has(id))).toEqual([])
})
