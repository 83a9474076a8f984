import { type Day, dayOf, weekdayOf } from './day.ts'
import type { Micro } from './micro.ts'
import type { RuleSet, TaxRule } from './rule-set.ts'

export interface CompiledFee {
  readonly code: string
  readonly per: 'room' | 'room-night'
  readonly amount: Micro
  readonly isTaxed: boolean
}

export type CompiledTax =
  | {
      readonly kind: 'percent'
      readonly code: string
      readonly basisPoints: bigint
      readonly isIncluded: boolean
      readonly isCompound: boolean
    }
  | { readonly kind: 'room-night'; readonly code: string; readonly amount: Micro }
  | {
      readonly kind: 'person-night'
      readonly code: string
      readonly amount: Micro
      readonly fromAge: number
      readonly maxNights: number
    }

export interface Rules {
  /** Season times weekday, in units of `NIGHT_FACTOR_ONE`. */
  nightFactor(day: Day): bigint
  readonly extraAdult: Micro
  extraChild(age: number): Micro
  /** 0 where all ages are accepted. */
  readonly minGuestAge: number
  readonly fees: readonly CompiledFee[]
  readonly taxes: readonly CompiledTax[]
  /** Sum of the percentages that are included in the prices. */
  readonly includedBasisPoints: bigint
}

/** Two factors in basis points. */
export const NIGHT_FACTOR_ONE = 100_000_000n
const ORDINARY = 10_000
/** Stays are limited to a few years, so that callers cannot grow this without limit. */
const FACTORS_MAX = 2_000

/** Rule sets are immutable, so derived values are computed once. */
export function compileRules(set: RuleSet): Rules {
  const taxes = set.taxes.map(compileTax)
  const bands = set.extras.children.map(({ fromAge, micro }) => ({
    fromAge,
    amount: BigInt(micro),
  }))
  return {
    nightFactor: nightFactors(set),
    extraAdult: BigInt(set.extras.adultMicro),
    extraChild: (age) => bands.findLast(({ fromAge }) => age >= fromAge)?.amount ?? 0n,
    minGuestAge: set.minGuestAge ?? 0,
    fees: set.fees.map(({ code, per, micro, isTaxed }) => ({
      code,
      per,
      amount: BigInt(micro),
      isTaxed,
    })),
    taxes,
    includedBasisPoints: taxes.reduce(
      (sum, tax) => (tax.kind === 'percent' && tax.isIncluded ? sum + tax.basisPoints : sum),
      0n,
    ),
  }
}

function nightFactors({ seasons, weekdays }: RuleSet): (day: Day) => bigint {
  const spans = seasons.map(({ from, to, basisPoints }) => ({
    from: dayOf(from),
    to: dayOf(to),
    basisPoints,
  }))
  const known = new Map<Day, bigint>()
  return (day) => {
    const memo = known.get(day)
    if (memo !== undefined) return memo
    const season = spans.find(({ from, to }) => from <= day && day < to)?.basisPoints ?? ORDINARY
    const factor = BigInt(season) * BigInt(weekdays[weekdayOf(day)] ?? ORDINARY)
    if (known.size >= FACTORS_MAX) known.clear()
    known.set(day, factor)
    return factor
  }
}

function compileTax(tax: TaxRule): CompiledTax {
  if (tax.kind === 'percent') return { ...tax, basisPoints: BigInt(tax.basisPoints) }
  const { micro, ...rest } = tax
  return { ...rest, amount: BigInt(micro) }
}
