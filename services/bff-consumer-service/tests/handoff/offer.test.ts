import { newId } from '@melmastoon/domain'
import { verifyHandoff } from '@melmastoon/security'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { PLANS } from '../harness/fake-upstreams/offer-responses.ts'
import { ROOM_TYPE_ID } from '../harness/fake-upstreams/property-responses.ts'
import {
  mint,
  mintForNewGuest,
  RING,
  startSession,
  stayRequest,
  type Target,
  tokenOf,
} from '../harness/handoff-client.ts'
import { getHotelPrice, getPath, hotelOf, PREFERENCES } from '../harness/hotel-client.ts'
import { outcomeOf } from '../harness/map-client.ts'
import {
  dayFromNow,
  type Fixture,
  startFixture,
  type TestResponse,
} from '../harness/start-consumer.ts'

let fixture: Fixture
let url: string
let cookie: string

beforeAll(async () => {
  fixture = await startFixture()
  url = fixture.service.url
  await mintForNewGuest(url, at(0))
  cookie = (await startSession(url)).cookie
})
afterAll(() => fixture[Symbol.asyncDispose]())
beforeEach(() => {
  fixture.upstreams.reset()
  fixture.upstreams.unsold.clear()
  fixture.upstreams.requests.length = 0
})

const at = (index: number): Target => hotelOf(fixture.upstreams, index)
const NRF = {
  roomTypeId: ROOM_TYPE_ID,
  ratePlanId: PLANS.NRF.ratePlanId,
  digest: PLANS.NRF.digest,
  shownPrice: { amountMinor: 500_000, currency: 'AFN' },
}
const BAR = {
  ...NRF,
  ratePlanId: PLANS.BAR.ratePlanId,
  digest: PLANS.BAR.digest,
  shownPrice: { amountMinor: 550_000, currency: 'AFN' },
}
const NONE = { roomTypeId: null, ratePlanId: null, digest: null, shownPrice: null }

/** A stay that no test has requested before. */
let stays = 0
function newStay(over: Record<string, unknown> = {}) {
  stays += 1
  const dates = { checkIn: dayFromNow(20 + stays), checkOut: dayFromNow(22 + stays) }
  return stayRequest({ dates, ...over })
}

/** The offer that is signed in the link; the response states the same. */
function offerOf(response: TestResponse, { tenantId }: Target) {
  expect(response.status).toBe(201)
  const { offer } = verifyHandoff(tokenOf(response), RING, { now: new Date(), tenantId })
  expect(response.body['offer']).toEqual(offer)
  return offer
}

async function mintOffer(over: Record<string, unknown>) {
  return offerOf(await mint(url, cookie, at(0), { json: newStay(over) }), at(0))
}

const priceCalls = () =>
  fixture.upstreams.requests.filter(({ path }) => /preview|\/offers/.test(path)).length

describe('C23 a booking link', () => {
  it('without a chosen offer has the cheapest one, which every card shows', async () => {
    expect(await mintOffer({})).toEqual(NRF)
  })

  it('has the chosen offer', async () => {
    expect(await mintOffer(BAR)).toEqual(BAR)
  })

  it.each<[string, Record<string, unknown>, object]>([
    ['the ids', { roomTypeId: BAR.roomTypeId, ratePlanId: BAR.ratePlanId }, BAR],
    ['the plan', { ratePlanId: BAR.ratePlanId }, BAR],
    ['the room type', { roomTypeId: NRF.roomTypeId }, NRF],
    ['the digest', { digest: BAR.digest }, BAR],
    ['the price', { shownPrice: NRF.shownPrice }, NRF],
  ])('from %s alone is complete', async (_what, stated, expected) => {
    expect(await mintOffer(stated)).toEqual(expected)
  })

  it('has the price that was shown, also where it has changed since', async () => {
    const old = {
      digest: `sha256:${'0e'.repeat(32)}`,
      shownPrice: { amountMinor: 1, currency: 'AFN' },
    }
    expect(await mintOffer({ ...BAR, ...old })).toEqual({ ...BAR, ...old })
    expect(await mintOffer({ digest: old.digest })).toEqual({ ...NONE, digest: old.digest })
    const { shownPrice } = old
    expect(await mintOffer({ shownPrice })).toEqual({ ...NRF, shownPrice, digest: null })
  })

  it('calls no upstream for a price that the hotel page has just shown', async () => {
    const json = newStay({ occupancy: { adults: 2 } })
    const query = { ...PREFERENCES, ...json.dates }
    await getHotelPrice(url, at(1).propertyId, { query })
    await getPath(url, `/hotels/${at(1).propertyId}/offers`, { query })
    fixture.upstreams.requests.length = 0
    const { amountMinor } = { amountMinor: 500_002 }
    const shown = { ...NRF, shownPrice: { amountMinor, currency: 'AFN' } }
    expect(offerOf(await mint(url, cookie, at(1), { json }), at(1))).toEqual(shown)
    const chosen = { ...json, ratePlanId: NRF.ratePlanId }
    expect(offerOf(await mint(url, cookie, at(1), { json: chosen }), at(1))).toEqual(shown)
    expect(priceCalls()).toBe(0)
  })

  it.each([
    ['no chosen offer', {}],
    ['a chosen offer', { ratePlanId: BAR.ratePlanId }],
  ])('is not minted for a stay that is sold out, with %s', async (_what, stated) => {
    fixture.upstreams.unsold.add(at(2).propertyId)
    const json = newStay(stated)
    const key = newId('req')
    const response = await mint(url, cookie, at(2), { json, key })
    expect(outcomeOf(response)).toEqual([409, 'MELMASTOON.BFF.CONSUMER.STAY_NOT_BOOKABLE'])
    expect(response.body['errors']).toMatchObject([{ pointer: '/dates', code: 'sold_out' }])
    fixture.upstreams.unsold.clear()
    await fixture.service.ctx.cache.invalidate([`listing:${at(2).propertyId}`])
    expect((await mint(url, cookie, at(2), { json, key })).status).toBe(201)
  })

  it.each([
    ['/ratePlanId', { ratePlanId: newId('rate') }],
    ['/roomTypeId', { roomTypeId: newId('rmt') }],
    ['/roomTypeId', { roomTypeId: newId('rmt'), ratePlanId: BAR.ratePlanId }],
  ])('is not minted for an offer that the hotel does not have: %s', async (pointer, stated) => {
    const response = await mint(url, cookie, at(0), { json: newStay(stated) })
    expect(outcomeOf(response)).toEqual([409, 'MELMASTOON.BFF.CONSUMER.STAY_NOT_BOOKABLE'])
    expect(response.body['errors']).toMatchObject([{ pointer, code: 'unknown' }])
  })

  it('is not minted where the chosen plan needs more nights, and points to the plan', async () => {
    fixture.upstreams.restricted.set(at(5).propertyId, 'min_nights')
    const json = newStay({ ratePlanId: BAR.ratePlanId })
    const response = await mint(url, cookie, at(5), { json })
    fixture.upstreams.restricted.clear()
    expect(response.body['errors']).toMatchObject([{ pointer: '/ratePlanId', code: 'min_nights' }])
  })

  it('of another tenant’s hotel is not found, whether it is sold out or not', async () => {
    fixture.upstreams.unsold.add(at(3).propertyId)
    const foreign = { tenantId: at(4).tenantId, propertyId: at(3).propertyId }
    const response = await mint(url, cookie, foreign, { json: newStay() })
    expect(outcomeOf(response)).toEqual([404, 'MELMASTOON.PROPERTY.NOT_FOUND'])
  })

  it.each(['down', 'dropping', 'hanging', 'invalid', 'rejecting'] as const)(
    'D22 is minted unchecked while prices cannot be read: %s',
    async (mode) => {
      Object.assign(fixture.upstreams.behaviour.pricing, { mode })
      expect(await mintOffer({})).toEqual(NONE)
      fixture.upstreams.reset()
      Object.assign(fixture.upstreams.behaviour.search, { mode, only: '/offers' })
      expect(await mintOffer(BAR)).toEqual(BAR)
    },
  )
})
