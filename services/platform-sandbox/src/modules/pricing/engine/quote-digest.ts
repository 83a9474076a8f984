import { createHash } from 'node:crypto'
import type { Bill } from './bill.ts'
import type { Plan, RateCard } from './rate-card.ts'
import type { RoomCount, StayRequest } from './stay-request.ts'

const VERSION = 1

/**
 * The items, their terms and every line. Arrays in a fixed order, so the text is canonical without
 * sorting. `today` is omitted: its effects are in the lines.
 */
export function quoteDigest(
  card: RateCard,
  offer: { readonly plan: Plan; readonly rooms: readonly RoomCount[]; readonly bill: Bill },
  stayRequest: StayRequest,
): string {
  const { plan, rooms, bill } = offer
  const { kind, freeUntilHours, penaltyBasisPoints } = plan.cancellation
  const text = JSON.stringify([
    VERSION,
    [card.tenantId, card.propertyId, card.currency],
    [plan.ratePlanId, plan.code, kind, freeUntilHours, penaltyBasisPoints],
    [
      stayRequest.arrival,
      stayRequest.nights,
      stayRequest.party.adults,
      stayRequest.party.childAges,
    ],
    rooms.map(({ room, quantity }) => [room.roomTypeId, quantity]),
    stayRequest.promotion?.code ?? null,
    bill.lines.map((line) => [
      line.kind,
      line.code,
      line.roomTypeId ?? null,
      line.night ?? null,
      line.quantity,
      line.amount.toString(),
      line.included,
    ]),
    bill.total.toString(),
  ])
  return `sha256:${createHash('sha256').update(text).digest('hex')}`
}
