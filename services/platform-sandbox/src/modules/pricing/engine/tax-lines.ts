import type { BillLine } from './bill.ts'
import type { CompiledTax } from './compile-rules.ts'
import type { FeeLine } from './fee-lines.ts'
import { type Micro, roundToMinor, shareOf, WHOLE } from './micro.ts'
import type { RateCard } from './rate-card.ts'
import { countRooms, type RoomCount, type StayRequest } from './stay-request.ts'

export interface Taxed {
  readonly rooms: readonly RoomCount[]
  readonly stayRequest: StayRequest
  /** Nights and extras after discounts and promotion. */
  readonly revenue: Micro
  readonly fees: readonly FeeLine[]
}

/**
 * Taxes in the order of their rules. A percentage applies to the revenue and the taxed fees; a
 * compound one also to every added tax before it. Included percentages are extracted from the same
 * amount together, since the price contains all of them.
 */
export function taxLines(card: RateCard, taxed: Taxed): BillLine[] {
  const lines: BillLine[] = []
  const base = taxed.fees.reduce(
    (sum, { amount, isTaxed }) => (isTaxed ? sum + amount : sum),
    taxed.revenue,
  )
  let added = 0n
  for (const tax of card.rules.taxes) {
    const line = taxLine(card, tax, { taxed, base, added })
    if (line === null) continue
    if (!line.included) added += line.amount
    lines.push(line)
  }
  return lines
}

interface Sofar {
  readonly taxed: Taxed
  readonly base: Micro
  readonly added: Micro
}

function taxLine(card: RateCard, tax: CompiledTax, { taxed, base, added }: Sofar): BillLine | null {
  if (tax.kind !== 'percent') return countedLine(tax, taxed)
  const { code, isIncluded } = tax
  const whole = WHOLE + card.rules.includedBasisPoints
  const amount = isIncluded
    ? roundToMinor(base * tax.basisPoints, whole, card.currency)
    : shareOf(tax.isCompound ? base + added : base, tax.basisPoints, card.currency)
  return { kind: 'tax', code, quantity: 1, amount, included: isIncluded }
}

function countedLine(
  tax: Exclude<CompiledTax, { kind: 'percent' }>,
  { rooms, stayRequest }: Taxed,
): BillLine | null {
  const { party, nights } = stayRequest
  const quantity =
    tax.kind === 'room-night'
      ? countRooms(rooms) * nights
      : (party.adults + party.childAges.filter((age) => age >= tax.fromAge).length) *
        Math.min(nights, tax.maxNights)
  if (quantity === 0) return null
  const amount = tax.amount * BigInt(quantity)
  return { kind: 'tax', code: tax.code, quantity, amount, included: false }
}
