import { newId } from '@melmastoon/domain'
import { ExampleRequests, type ExampleSubstitutes, idsIn, send } from '@melmastoon/testkit'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { contracts, cookieOf, dayFromNow, type TestResponse } from '../harness/start-consumer.ts'
import { startWithSandbox } from '../harness/start-with-sandbox.ts'

type Json = Readonly<Record<string, unknown>>

let world: Awaited<ReturnType<typeof startWithSandbox>>
let examples: ExampleRequests
let cookie = ''
const received = new Map<string, TestResponse>()

beforeAll(async () => {
  examples = await ExampleRequests.read(contracts)
  // The world of `npm start`: its ids are those in the examples.
  world = await startWithSandbox({ worldSeed: 'melmastoon' })
}, 60_000)
afterAll(() => world[Symbol.asyncDispose]())

/** Sends the example of an operation as it is documented, with the cookie of the session. */
async function expectAccepted(id: string, substitutes?: ExampleSubstitutes): Promise<Json> {
  const { method, path, headers, body } = examples.requestOf(id, substitutes)
  const response = await send(world.service.url, method, path, {
    headers: { ...headers, cookie, 'idempotency-key': newId('req') },
    ...(method !== 'GET' && method !== 'DELETE' && { json: body }),
  })
  expect(response.status, `${id}: ${response.text}`).toBeLessThan(300)
  received.set(id, response)
  return response.body
}

const STAY = { checkIn: dayFromNow(30), checkOut: dayFromNow(32) }
const stayInBody = { body: { dates: STAY } }
const stayInQuery = { parameters: STAY }

it('C23 the examples of a journey from the search to the hotel’s own site are accepted', async () => {
  await expectAccepted('consumer.session.start')
  cookie = cookieOf(received.get('consumer.session.start') as TestResponse)
  await expectAccepted('consumer.locale.list')
  await expectAccepted('consumer.message.list')
  await expectAccepted('consumer.suggestion.list')
  await expectAccepted('consumer.facet.list')
  await expectAccepted('consumer.search.list', stayInBody)
  await expectAccepted('consumer.search.map', stayInBody)
  await expectAccepted('consumer.hotel.get', stayInQuery)
  await expectAccepted('consumer.hotel.price', stayInQuery)
  await expectAccepted('consumer.hotel.offers', stayInQuery)
  await expectAccepted('consumer.hotel.calendar', { parameters: { from: STAY.checkIn } })
  await expectAccepted('consumer.availability.read', {
    parameters: { from: STAY.checkIn, to: STAY.checkOut },
  })
  await expectAccepted('consumer.comparison.read', stayInQuery)
  await expectAccepted('consumer.handoff.mint', {
    body: { dates: STAY, digest: undefined, shownPrice: undefined },
  })
})

it('C23 the examples of lists and of the session are accepted', async () => {
  await expectAccepted('consumer.page_view.record')
  await expectAccepted('consumer.funnel_step.record')
  await expectAccepted('consumer.wishlist.add')
  await expectAccepted('consumer.wishlist.list', stayInQuery)
  await expectAccepted('consumer.recently_viewed.list')
  await expectAccepted('consumer.session.read')
  await expectAccepted('consumer.wishlist.remove')
  await expectAccepted('consumer.locale.set')
  await expectAccepted('consumer.currency.set')
  await expectAccepted('consumer.consent.set')
  await expectAccepted('consumer.challenge.issue')
  await expectAccepted('consumer.session.clear')
})

it('C23 the example of every operation was sent', () => {
  expect(examples.unused()).toEqual([])
})

it('C23 the ids in the examples are those of the demo world', () => {
  const known = idsIn([...received.values()].map(({ body }) => body))
  const shown = examples.shownIds()
  expect(shown.size).toBeGreaterThan(5)
  expect([...shown].filter((id) => !known.has(id))).toEqual([])
})
