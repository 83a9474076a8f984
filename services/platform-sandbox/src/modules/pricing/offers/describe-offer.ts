import { toIsoDateTime } from '@melmastoon/domain'
import type { Charge, OfferPrice, OfferTerms } from '@melmastoon/upstream-contracts/offers'
import type { Display } from '../display-price.ts'
import type { BillLine } from '../engine/bill.ts'
import { priceStay } from '../engine/price-stay.ts'
import { quoteDigest } from '../engine/quote-digest.ts'
import type { Plan, RateCard, Room } from '../engine/rate-card.ts'
import { lineLabel } from '../line-labels.ts'
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

export function describePrice(
  { card, stock, plan, room, stay, time }: OfferParts,
  display: Display,
): OfferPrice {
  const { quantity, ...wanted } = stay
  const rooms = [{ room, quantity }]
  const stayRequest = { ...wanted, today: time.today }
  const bill = priceStay(card, { plan, rooms }, stayRequest)
  return {
    cheapestNightly: display.show(bill.cheapestNight),
    total: display.show(bill.total),
    charges: bill.lines.flatMap((line) => chargeOf(line, display)),
    digest: quoteDigest(card, { plan, rooms, bill }, stayRequest),
    roomsLeft: stock.roomsLeft(room.roomTypeId, stay.arrival, stay.nights),
  }
}

/** Each is converted separately, so converted charges may not add up to the minor unit. */
function chargeOf(line: BillLine, display: Display): Charge[] {
  const { kind, code, amount, included } = line
  if (kind !== 'fee' && kind !== 'tax') return []
  const { default: text, localized } = lineLabel(line)
  const label = { default: text, localized: { ...localized } }
  return [{ kind, code, label, amount: display.show(amount), included }]
}
