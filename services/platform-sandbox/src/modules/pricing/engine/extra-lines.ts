import type { BillLine } from './bill.ts'
import type { Rules } from './compile-rules.ts'
import type { RoomCount, StayRequest } from './stay-request.ts'

/**
 * Guests are counted against all rooms together: their distribution over the rooms is not requested
 * and does not change the price. Unused places of adults are not given to children.
 */
export function extraLines(
  rules: Rules,
  rooms: readonly RoomCount[],
  { nights, party }: StayRequest,
): BillLine[] {
  const lines: BillLine[] = []
  const included = rooms.reduce(
    (sum, { room, quantity }) => sum + room.adultsIncluded * quantity,
    0,
  )
  const extraAdults = Math.max(0, party.adults - included)
  const adults = rules.extraAdult * BigInt(extraAdults * nights)
  if (adults > 0n) lines.push(extra('EXTRA-ADULT', extraAdults * nights, adults))
  const paying = party.childAges.map((age) => rules.extraChild(age)).filter((price) => price > 0n)
  const children = paying.reduce((sum, price) => sum + price, 0n) * BigInt(nights)
  if (children > 0n) lines.push(extra('EXTRA-CHILD', paying.length * nights, children))
  return lines
}

function extra(code: string, quantity: number, amount: bigint): BillLine {
  return { kind: 'extra', code, quantity, amount, included: false }
}
