import { NIGHT_FACTOR_ONE, type Rules } from './compile-rules.ts'
import { type Micro, minorUnitOf } from './micro.ts'
import type { Plan, RateCard, Room } from './rate-card.ts'
import { reduceFraction, scaleHalfEven } from './scale.ts'
import type { Party } from './stay-request.ts'

const WHOLE = 10_000

export interface CountedStay {
  readonly arrival: number
  readonly nights: number
  readonly party: Party
  /** The number of rooms, all of one type. */
  readonly quantity: number
  /** Scales all nightly prices, 10 000 leaves them unchanged: for scenarios. */
  readonly marketBasisPoints?: number
}

export interface PricedRoom {
  readonly plan: Plan
  readonly room: Room
  /** The local date of the hotel. */
  readonly today: number
}

/** The parts of a total that do not depend on room and plan; amounts in minor units. */
interface RuleAmounts {
  readonly step: number
  /** The different night factors, each with the number of its nights. */
  readonly nights: readonly NightFactor[]
  readonly extraAdult: number
  readonly children: number
  readonly fees: number
  readonly taxedFees: number
  readonly taxes: readonly PreparedTax[]
}

/** A percentage, or an amount that depends on guests and nights only. */
type PreparedTax =
  | { readonly basisPoints: number; readonly isCompound: boolean }
  | { readonly amount: number }

type Fraction = readonly [numerator: number, denominator: number]

interface NightFactor {
  readonly numerator: number
  readonly denominator: number
  readonly count: number
}

const ONE: Fraction = [1, 1]

/**
 * The totals of one stay for many hotels: those of `priceStay`, to the minor unit, without lines
 * and in numbers instead of bigints, which is twenty times faster. A property test compares both.
 */
export class StayTotals {
  readonly #stay: CountedStay
  readonly #amounts = new Map<Rules, RuleAmounts>()

  constructor(stay: CountedStay) {
    this.#stay = stay
  }

  /** In minor units of the hotel. The plan has a price for the room. */
  totalOf(card: RateCard, { plan, room, today }: PricedRoom): number {
    const { nights, party, quantity } = this.#stay
    const rules = this.#amountsOf(card)
    const price = this.#priceOf(rules, { plan, room, today })
    let stayed = 0
    for (const factor of rules.nights) stayed += priceNight(price, factor) * factor.count
    stayed *= quantity
    const reached = plan.lengthOfStay.findLast(({ minNights }) => nights >= minNights)
    if (reached !== undefined) stayed -= scaleHalfEven(stayed, Number(reached.basisPoints), WHOLE)
    const extraAdults = Math.max(0, party.adults - room.adultsIncluded * quantity)
    const revenue = stayed + extraAdults * rules.extraAdult + rules.children
    return revenue + rules.fees + addedTaxes(rules, revenue + rules.taxedFees)
  }

  /** One room in its cheapest night. */
  cheapestNightOf(card: RateCard, priced: PricedRoom): number {
    const rules = this.#amountsOf(card)
    const price = this.#priceOf(rules, priced)
    return rules.nights.reduce(
      (cheapest, factor) => Math.min(cheapest, priceNight(price, factor)),
      Number.MAX_SAFE_INTEGER,
    )
  }

  /** The price of the plan as a fraction of minor units, so that a night is rounded only once. */
  #priceOf({ step }: RuleAmounts, { plan, room, today }: PricedRoom): Fraction {
    const micro = Number(plan.nightly.get(room.roomTypeId))
    const [numerator, denominator] = this.#adjustmentOf(plan, today)
    return micro % step === 0
      ? [(micro / step) * numerator, denominator]
      : [micro * numerator, step * denominator]
  }

  #adjustmentOf({ lastMinute }: Plan, today: number): Fraction {
    const { arrival, marketBasisPoints = WHOLE } = this.#stay
    const isLate = lastMinute !== null && arrival - today <= lastMinute.withinDays
    if (!isLate && marketBasisPoints === WHOLE) return ONE
    const surcharge = WHOLE + (isLate ? lastMinute.basisPoints : 0)
    return reduceFraction(BigInt(surcharge) * BigInt(marketBasisPoints), BigInt(WHOLE * WHOLE))
  }

  #amountsOf({ rules, currency }: RateCard): RuleAmounts {
    const known = this.#amounts.get(rules)
    if (known !== undefined) return known
    const prepared = prepareAmounts(rules, minorUnitOf(currency), this.#stay)
    this.#amounts.set(rules, prepared)
    return prepared
  }
}

function priceNight([price, divisor]: Fraction, { numerator, denominator }: NightFactor): number {
  return scaleHalfEven(price, numerator, denominator * divisor)
}

function addedTaxes({ taxes }: RuleAmounts, base: number): number {
  let added = 0
  for (const tax of taxes) {
    added +=
      'amount' in tax
        ? tax.amount
        : scaleHalfEven(tax.isCompound ? base + added : base, tax.basisPoints, WHOLE)
  }
  return added
}

function prepareAmounts(rules: Rules, step: Micro, stay: CountedStay): RuleAmounts {
  const { arrival, nights, party, quantity } = stay
  const minor = (micro: Micro) => Number(micro) / Number(step)
  const fees = rules.fees.map(({ per, amount, isTaxed }) => ({
    amount: minor(amount) * quantity * (per === 'room' ? 1 : nights),
    isTaxed,
  }))
  const sumOf = (some: typeof fees) => some.reduce((sum, { amount }) => sum + amount, 0)
  return {
    step: Number(step),
    nights: countFactors(rules, arrival, nights),
    extraAdult: minor(rules.extraAdult) * nights,
    children: party.childAges.reduce((sum, age) => sum + minor(rules.extraChild(age)), 0) * nights,
    fees: sumOf(fees),
    taxedFees: sumOf(fees.filter(({ isTaxed }) => isTaxed)),
    taxes: prepareTaxes(rules, minor, stay),
  }
}

function countFactors(rules: Rules, arrival: number, nights: number): NightFactor[] {
  const counts = new Map<bigint, number>()
  for (let day = arrival; day < arrival + nights; day += 1) {
    const factor = rules.nightFactor(day)
    counts.set(factor, (counts.get(factor) ?? 0) + 1)
  }
  return [...counts].map(([factor, count]) => {
    const [numerator, denominator] = reduceFraction(factor, NIGHT_FACTOR_ONE)
    return { numerator, denominator, count }
  })
}

/** Included taxes are part of the prices already. */
function prepareTaxes(
  { taxes }: Rules,
  minor: (micro: Micro) => number,
  { nights, party, quantity }: CountedStay,
): PreparedTax[] {
  return taxes.flatMap((tax): PreparedTax[] => {
    switch (tax.kind) {
      case 'percent':
        if (tax.isIncluded) return []
        return [{ basisPoints: Number(tax.basisPoints), isCompound: tax.isCompound }]
      case 'room-night':
        return [{ amount: minor(tax.amount) * quantity * nights }]
      case 'person-night': {
        const children = party.childAges.filter((age) => age >= tax.fromAge).length
        const taxed = (party.adults + children) * Math.min(nights, tax.maxNights)
        return [{ amount: minor(tax.amount) * taxed }]
      }
    }
  })
}
