import { addDays, type IsoDate, newId, type PropertyId } from '@melmastoon/domain'
import { LOCALIZED, ROOM_TYPE_ID } from './property-responses.ts'
import type { Hotel, UpstreamRequest, UpstreamResponse, UpstreamState } from './types.ts'

const DIGEST = { NRF: `sha256:${'a1'.repeat(32)}`, BAR: `sha256:${'b2'.repeat(32)}` }

/** The cheapest plan cannot be cancelled; the flexible one costs a tenth more. */
export const PLANS = {
  NRF: { ratePlanId: newId('rate'), digest: DIGEST.NRF },
  BAR: { ratePlanId: newId('rate'), digest: DIGEST.BAR },
} as const

/** Of all currencies of the tests, in millionths. */
const MINOR = 10_000n

export type PlanCode = keyof typeof PLANS

const NON_REFUNDABLE = {
  ratePlanCode: 'NRF',
  ratePlanName: LOCALIZED('Non-refundable'),
  category: 'non-refundable',
  cancellation: { kind: 'none', freeUntilHours: 0, penaltyBasisPoints: 10_000 },
}

function flexible(checkIn: IsoDate) {
  return {
    ratePlanCode: 'BAR',
    ratePlanName: LOCALIZED('Flexible'),
    category: 'bar',
    cancellation: {
      kind: 'free',
      freeUntilHours: 48,
      freeUntil: `${addDays(checkIn, -2)}T07:30:00.000Z`,
      penaltyBasisPoints: 10_000,
    },
  }
}

export function termsOf(code: PlanCode, checkIn: IsoDate) {
  return {
    roomTypeId: ROOM_TYPE_ID,
    roomTypeName: LOCALIZED('Twin room'),
    ratePlanId: PLANS[code].ratePlanId,
    ...(code === 'BAR' ? flexible(checkIn) : NON_REFUNDABLE),
    board: 'breakfast',
    payment: { timing: 'either', depositBasisPoints: 2_000, provider: 'must not get through' },
    margin: 'must not get through',
  }
}

/** Two nights; every tenth of the price is tax. */
export function priceOf(hotel: Hotel, code: PlanCode, currency: unknown) {
  const micro = BigInt(hotel.nightlyMicro)
  const nightly = code === 'NRF' ? micro : ((micro * 110n) / 100n / MINOR) * MINOR
  const money = (amountMicro: bigint) => ({ amountMicro: String(amountMicro), currency })
  return {
    cheapestNightly: money(nightly),
    total: money(nightly * 2n),
    charges: [
      {
        kind: 'tax',
        code: 'vat',
        label: LOCALIZED('Value added tax'),
        amount: money(50_000_000n),
        included: true,
        account: 'must not get through',
      },
    ],
    digest: PLANS[code].digest,
    roomsLeft: 3,
  }
}

interface Itemized {
  readonly code: PlanCode
  readonly stay?: unknown
  readonly currency?: unknown
}

/** With uneven lines the flexible plan lacks a night. */
function itemizedPrice({ unevenLines }: UpstreamState, hotel: Hotel, request: Itemized) {
  const { code, stay, currency } = request
  const { checkIn } = stay as { checkIn: IsoDate }
  const isUneven = code === 'BAR' && unevenLines.has(hotel.propertyId)
  const price = priceOf(hotel, code, currency)
  const nights = [checkIn, ...(isUneven ? [] : [addDays(checkIn, 1)])].map((night) => ({
    kind: 'night',
    code,
    label: LOCALIZED('Night'),
    night,
    quantity: 1,
    amount: price.cheapestNightly,
    included: false,
    margin: 'must not get through',
  }))
  return { ...price, lines: [...nights, ...price.charges.map((tax) => ({ ...tax, quantity: 1 }))] }
}

/** All plans of the only room type; a hotel that is sold out has a reason instead of prices. */
export function offersOf(state: UpstreamState, request: UpstreamRequest): UpstreamResponse {
  const hotel = hotelIn(state, request)
  if (hotel === undefined) return NOT_FOUND
  const { checkIn } = request.body['stay'] as { checkIn: IsoDate }
  const reason = state.restricted.get(hotel.propertyId) ?? 'sold_out'
  const isSold = !state.unsold.has(hotel.propertyId) && !state.restricted.has(hotel.propertyId)
  const offers = (['NRF', 'BAR'] as const).map((code) => ({
    ...termsOf(code, checkIn),
    ...(isSold ? { price: itemizedPrice(state, hotel, { code, ...request.body }) } : { reason }),
    minNights: 1,
    maxNights: 30,
    advanceDaysMin: 0,
  }))
  const rooms = [{ roomTypeId: ROOM_TYPE_ID, roomsLeft: isSold ? 3 : 0, offers }]
  const paymentMethods = ['cash_on_arrival', 'card']
  const head = { propertyId: hotel.propertyId, tenantId: hotel.tenantId, timeZone: 'Asia/Kabul' }
  return { status: 200, body: { ...head, rooms, paymentMethods, ...captured(state) } }
}

/** Every seventh day is sold out; arrivals on the day before need two nights. */
export function stayCalendarOf(state: UpstreamState, request: UpstreamRequest): UpstreamResponse {
  const hotel = hotelIn(state, request)
  if (hotel === undefined) return NOT_FOUND
  const { from, nights, currency } = request.body
  const days = Array.from({ length: Number(nights) }, (_, at) => {
    const date = addDays(from as IsoDate, at)
    if (at % 7 === 6) return { date, reason: 'sold_out', roomsLeft: 0 }
    const minNights = at % 7 === 5 ? 2 : 1
    const { cheapestNightly, total } = priceOf(hotel, 'NRF', currency)
    const priced = { roomTypeId: ROOM_TYPE_ID, ratePlanCode: 'NRF', margin: 'must not get through' }
    return {
      date,
      cheapest: { nights: minNights, cheapestNightly, total, ...priced },
      minNights,
      roomsLeft: 3,
    }
  })
  const { propertyId, tenantId } = hotel
  return { status: 200, body: { propertyId, tenantId, days, ...captured(state) } }
}

const NOT_FOUND = { status: 404, body: { code: 'MELMASTOON.PROPERTY.NOT_FOUND' } }

function hotelIn({ hotels, unlisted }: UpstreamState, { path }: UpstreamRequest) {
  const propertyId = path.split('/').at(-2) as PropertyId
  return hotels.find((hotel) => hotel.propertyId === propertyId && !unlisted.has(propertyId))
}

function captured({ capturedAt, offersExtra }: UpstreamState) {
  return {
    currencyDisplayPolicy: 'user-preferred',
    capturedAt: capturedAt(),
    validUntil: capturedAt(),
    ...offersExtra,
  }
}
