import { toIsoDateTime } from '@melmastoon/domain'
import type { OfferPrice, OfferTerms, StayOffer } from '@melmastoon/upstream-contracts/offers'
import type { Display } from '../display-price.ts'
import type { Bill } from '../engine/bill.ts'
import { priceStay } from '../engine/price-stay.ts'
import { quoteDigest } from '../engine/quote-digest.ts'
import type { Plan, RateCard, Room } from '../engine/rate-card.ts'
import type { RoomCount, StayRequest } from '../engine/stay-request.ts'
import { describeCharges, describeLines } from './describe-lines.ts'
import { currentKind, freeUntilMs } from './free-until.ts'
import type { HotelStock } from './hotel-stock.ts'
import type { HotelTime, OfferedStay } from './offered-stay.ts'

export interface OfferParts {
  readonly card: RateCard
  readonly stock: HotelStock
  readonly plan: Plan
  readonly room: Room
  readonly stay: OfferedStay
  readonly time: HotelTime
}

type ItemizedPrice = NonNullable<StayOffer['price']>

const CASH = 'cash_on_arrival'
const WHOLE = 10_000

export function describeTerms({ card, stock, plan, room, stay, time }: OfferParts): OfferTerms {
  const { roomTypeId } = room
  const { default: name, localized } =
    stock.roomTypes.find((type) => type.roomTypeId === roomTypeId)?.name ?? UNNAMED
  const { freeUntilHours, penaltyBasisPoints } = plan.cancellation
  const kind = currentKind(plan.cancellation, stay, { timeZone: card.timeZone, nowMs: time.nowMs })
  const untilMs = freeUntilMs(plan.cancellation, stay.arrival, card.timeZone)
  return {
    roomTypeId,
    roomTypeName: { default: name, ...(localized && { localized: { ...localized } }) },
    ratePlanId: plan.ratePlanId,
    ratePlanCode: plan.code,
    ratePlanName: plan.name,
    category: plan.category,
    board: plan.board,
    cancellation: {
      kind,
      freeUntilHours,
      penaltyBasisPoints,
      ...(untilMs !== null &&
        time.nowMs < untilMs && { freeUntil: toIsoDateTime(new Date(untilMs)) }),
    },
    payment: paymentOf(stock),
  }
}

const UNNAMED: HotelStock['roomTypes'][number]['name'] = { default: '' }

/** The methods of a hotel apply to all its plans: it accepts cash for every booking or for none. */
function paymentOf({ paymentMethods }: HotelStock): OfferTerms['payment'] {
  const takesOthers = paymentMethods.some((method) => method !== CASH)
  if (!takesOthers) return { timing: 'at_hotel', depositBasisPoints: 0 }
  return paymentMethods.includes(CASH)
    ? { timing: 'either', depositBasisPoints: 0 }
    : { timing: 'now', depositBasisPoints: WHOLE }
}

/** A price without its lines, for previews of many hotels. */
export function describePrice(parts: OfferParts, display: Display): OfferPrice {
  return priceOf(parts, display, billOf(parts))
}

export function describeItemizedPrice(parts: OfferParts, display: Display): ItemizedPrice {
  const bill = billOf(parts)
  return { ...priceOf(parts, display, bill), lines: describeLines(bill, display) }
}

function priceOf(parts: OfferParts, display: Display, bill: Bill): OfferPrice {
  const { card, stock, plan, room, stay } = parts
  return {
    cheapestNightly: display.show(bill.cheapestNight),
    total: display.show(bill.total),
    charges: describeCharges(bill, display),
    digest: quoteDigest(card, { plan, rooms: roomsOf(parts), bill }, requestOf(parts)),
    roomsLeft: stock.roomsLeft(room.roomTypeId, stay.arrival, stay.nights),
  }
}

function billOf(parts: OfferParts): Bill {
  return priceStay(parts.card, { plan: parts.plan, rooms: roomsOf(parts) }, requestOf(parts))
}

function roomsOf({ room, stay }: OfferParts): RoomCount[] {
  return [{ room, quantity: stay.quantity }]
}

function requestOf({ stay, time }: OfferParts): StayRequest {
  const { arrival, nights, party, marketBasisPoints } = stay
  return {
    arrival,
    nights,
    party,
    today: time.today,
    ...(marketBasisPoints !== undefined && { marketBasisPoints }),
  }
}
