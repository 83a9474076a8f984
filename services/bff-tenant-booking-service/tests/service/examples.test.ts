import { newId } from '@melmastoon/domain'
import { KeyRing } from '@melmastoon/security'
import {
  type DocumentedOperation,
  readOperations,
  send as sendRequest,
  type TestResponse,
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

const BASE = '/bff/tenant-booking/v1/{tenantSlug}'
const NOT_IN_THE_QUERY = ['tenantSlug', 'idempotency-key']
const HEADERS = ['accept-language', 'x-currency', 'x-bootstrap-version']

let booking: Booking
let hotel: PropertyDetail
let guest: Guest
const operations = new Map<string, DocumentedOperation>()
const sent = new Set<string>()

beforeAll(async () => {
  for (const operation of readOperations(await contracts.openApi())) {
    operations.set(operation.id, operation)
  }
  // The world of `npm start`: its ids are those in the examples.
  booking = await startWithSandbox({ worldSeed: 'melmastoon' })
  const propertyId = PROPERTY_ID as PropertyDetail['propertyId']
  hotel = { ...(await hotelOf(booking, SLUG)), propertyId }
  guest = await booking.site.guest()
})
afterAll(() => booking[Symbol.asyncDispose]())

/** Ids, versions and dates of this run instead of those in the example. */
interface Substitutes {
  readonly parameters?: Json
  readonly body?: Json
  readonly key?: string
}

function exampleOf(id: string): { operation: DocumentedOperation; body: Json | undefined } {
  const operation = operations.get(id)
  if (operation === undefined) throw new Error(`no operation ${id}`)
  sent.add(id)
  return { operation, body: operation.request?.examples[0] as Json | undefined }
}

/** Sends the example of an operation as it is documented. */
function send(id: string, { parameters, body, key }: Substitutes = {}): Promise<TestResponse> {
  const { operation, body: example } = exampleOf(id)
  const { path, method } = operation
  const values: Json = { ...operation.parameters, ...parameters }
  const filled = path.replace(BASE, '').replaceAll(/\{(\w+)\}/g, (_, name) => String(values[name]))
  const query = Object.entries(values).filter(
    ([name, value]) =>
      value !== undefined &&
      !path.includes(`{${name}}`) &&
      ![...NOT_IN_THE_QUERY, ...HEADERS].includes(name),
  )
  const headers = Object.fromEntries(
    HEADERS.filter((name) => name in values).map((name) => [name, String(values[name])]),
  )
  const search = new URLSearchParams(
    Object.fromEntries(query.map(([name, value]) => [name, String(value)])),
  )
  const json = example === undefined ? undefined : { ...example, ...body }
  return guest.send(method, `${filled}?${search.toString()}`, {
    headers,
    ...(method !== 'GET' && { key: key ?? newId('req') }),
    ...(json !== undefined && { json }),
  })
}

async function accepted(id: string, substitutes?: Substitutes): Promise<Json> {
  const { status, text, body } = await send(id, substitutes)
  expect(status, `${id}: ${text}`).toBeLessThan(300)
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

const idsIn = (value: unknown) =>
  new Set(JSON.stringify(value).match(/\b(?:tnt|ppt|rmt|rate)_[0-9A-Z]{26}/g))

const exampleResponse = (id: string) => exampleOf(id).operation.responses[0]?.examples[0]

it.each([
  ['booking.bootstrap.get', {}],
  ['booking.policy.list', {}],
  ['booking.availability.read', { parameters: 'stay' }],
  ['booking.quote.create', { body: 'stay' }],
])('P14 the ids in the example of %s are those of the demo world', async (id, stayIn) => {
  const stay = freshStay(hotel)
  const substitutes = {
    ...('parameters' in stayIn && { parameters: { ...stay } }),
    ...('body' in stayIn && { body: { stay } }),
  }
  const known = idsIn(await accepted(id, substitutes))
  const shown = [...idsIn(exampleResponse(id))]
  expect(shown.filter((each) => !known.has(each))).toEqual([])
})

it('P14 the examples of the session and of the first pages are accepted', async () => {
  await accepted('booking.bootstrap.get')
  await accepted('booking.policy.list')
  const stay = freshStay(hotel)
  const { rooms } = await accepted('booking.availability.read', { parameters: { ...stay } })
  expect(rooms).not.toEqual([])
  const { parameters } = exampleOf('booking.key.read').operation
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
  const { body } = exampleOf('booking.payment.webhook')
  expect((await postWebhook(booking.service.url, JSON.stringify(body))).status).toBe(200)
})

it('C21 the messages need no session, at both addresses of the API', async () => {
  const { operation } = exampleOf('booking.message.list')
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
  expect([...sent].toSorted()).toEqual([...operations.keys()].toSorted())
})
