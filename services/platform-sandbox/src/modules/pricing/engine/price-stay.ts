import type { RoomTypeId } from '@melmastoon/domain'
import { type Bill, type BillLine, sumOf } from './bill.ts'
import { NIGHT_FACTOR_ONE } from './compile-rules.ts'
import { extraLines } from './extra-lines.ts'
import { feeLines } from './fee-lines.ts'
import { type Micro, roundToMinor, shareOf, WHOLE } from './micro.ts'
import type { Plan, RateCard } from './rate-card.ts'
import type { RoomCount, StayRequest } from './stay-request.ts'
import { taxLines } from './tax-lines.ts'

const ORDINARY = 10_000
/** Night factor, last-minute and market factor, multiplied before the single rounding. */
const NIGHT_DENOMINATOR = NIGHT_FACTOR_ONE * WHOLE * WHOLE

/**
 * The computation behind previews, calendars, quotes and re-checks. In this order: nights, extra
 * guests, length-of-stay discount on the nights, promotion on the rest, fees, taxes. Each line is
 * rounded separately, half to even, to the minor unit; nothing is rounded after that.
 */
export function priceStay(
  card: RateCard,
  { plan, rooms }: { readonly plan: Plan; readonly rooms: readonly RoomCount[] },
  stayRequest: StayRequest,
): Bill {
  const lines: BillLine[] = []
  const adjustment = adjustmentOf(plan, stayRequest)
  let cheapestNight: Micro | null = null
  for (const { room, quantity } of rooms) {
    const { roomTypeId } = room
    const base = priceOf(plan, roomTypeId) * adjustment
    for (
      let night = stayRequest.arrival;
      night < stayRequest.arrival + stayRequest.nights;
      night++
    ) {
      const price = nightPrice(card, base, night)
      if (cheapestNight === null || price < cheapestNight) cheapestNight = price
      const amount = price * BigInt(quantity)
      const line = { kind: 'night', code: plan.code, roomTypeId, night, quantity } as const
      lines.push({ ...line, amount, included: false })
    }
  }
  lines.push(...lengthOfStayLines(card, plan, { nights: stayRequest.nights, amount: sumOf(lines) }))
  lines.push(...extraLines(card.rules, rooms, stayRequest))
  lines.push(...promotionLines(card, stayRequest, sumOf(lines)))
  const revenue = sumOf(lines)
  const fees = feeLines(card.rules.fees, rooms, stayRequest)
  lines.push(...fees, ...taxLines(card, { rooms, stayRequest, revenue, fees }))
  return { lines, total: sumOf(lines), cheapestNight: cheapestNight ?? 0n }
}

/** One room for one night of a plan, for calendars. */
export function priceNight(
  card: RateCard,
  { plan, roomTypeId }: { readonly plan: Plan; readonly roomTypeId: RoomTypeId },
  stayRequest: StayRequest,
): Micro {
  return nightPrice(
    card,
    priceOf(plan, roomTypeId) * adjustmentOf(plan, stayRequest),
    stayRequest.arrival,
  )
}

function nightPrice({ rules, currency }: RateCard, base: bigint, night: number): Micro {
  return roundToMinor(base * rules.nightFactor(night), NIGHT_DENOMINATOR, currency)
}

function priceOf(plan: Plan, roomTypeId: RoomTypeId): Micro {
  const price = plan.nightly.get(roomTypeId)
  if (price === undefined) throw new TypeError('the plan has no price for this room type')
  return price
}

function adjustmentOf({ lastMinute }: Plan, stayRequest: StayRequest): bigint {
  const isLate =
    lastMinute !== null && stayRequest.arrival - stayRequest.today <= lastMinute.withinDays
  const late = isLate ? ORDINARY + lastMinute.basisPoints : ORDINARY
  return BigInt(late) * BigInt(stayRequest.marketBasisPoints ?? ORDINARY)
}

function lengthOfStayLines(
  { currency }: RateCard,
  plan: Plan,
  stay: { readonly nights: number; readonly amount: Micro },
): BillLine[] {
  const reached = plan.lengthOfStay.findLast(({ minNights }) => stay.nights >= minNights)
  if (reached === undefined) return []
  const amount = -shareOf(stay.amount, reached.basisPoints, currency)
  const code = `LOS-${reached.minNights}`
  return [{ kind: 'discount', code, quantity: stay.nights, amount, included: false }]
}

/** Never more than the price of the rooms. */
function promotionLines(
  { currency }: RateCard,
  { promotion }: StayRequest,
  revenue: Micro,
): BillLine[] {
  if (promotion === undefined) return []
  const { code, discount } = promotion
  const wished =
    discount.kind === 'percent'
      ? shareOf(revenue, discount.basisPoints, currency)
      : roundToMinor(discount.amount, 1n, currency)
  const amount = -(wished < revenue ? wished : revenue)
  return [{ kind: 'promotion', code, quantity: 1, amount, included: false }]
}
