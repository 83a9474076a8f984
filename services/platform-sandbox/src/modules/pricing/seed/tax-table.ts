import type { CurrencyCode } from '@melmastoon/domain'
import { divideHalfEven, minorUnitOf } from '../engine/micro.ts'
import type { TaxRule } from '../engine/rule-set.ts'
import { REFERENCE_FX } from '../fx-reference.ts'

interface TaxContext {
  readonly currency: CurrencyCode
  readonly starRating: number | null
}

type TaxTable = (context: TaxContext) => readonly TaxRule[]

const added = (code: string, basisPoints: number): TaxRule => ({
  kind: 'percent',
  code,
  basisPoints,
  isIncluded: false,
  isCompound: false,
})

const included = (code: string, basisPoints: number): TaxRule => ({
  ...added(code, basisPoints),
  kind: 'percent',
  basisPoints,
  isIncluded: true,
  isCompound: false,
})

/** Adults pay for every night, up to a maximum number of nights. */
const cityTax =
  (vatBasisPoints: number, euroCents: number, maxNights = 7): TaxTable =>
  ({ currency }) => [
    included('VAT', vatBasisPoints),
    {
      kind: 'person-night',
      code: 'CITY-TAX',
      micro: localAmount(euroCents, 'EUR', currency),
      fromAge: 16,
      maxNights,
    },
  ]

/** Value added tax applies to the room and to the municipality fee. */
const emirates: TaxTable = ({ currency, starRating }) => [
  added('MUNICIPALITY', 1_000),
  { kind: 'percent', code: 'VAT', basisPoints: 500, isIncluded: false, isCompound: true },
  {
    kind: 'room-night',
    code: 'TOURISM-DIRHAM',
    micro: localAmount(dirhamsFor(starRating) * 100, 'AED', currency),
  },
]

function dirhamsFor(starRating: number | null): number {
  if (starRating === null || starRating <= 2) return 7
  return ({ 3: 10, 4: 15 } as Record<number, number>)[starRating] ?? 20
}

const TABLES: Readonly<Record<string, TaxTable>> = {
  AF: () => [added('HOTEL-TAX', 1_000)],
  PK: () => [added('GST', 1_600)],
  AE: emirates,
  IR: () => [added('VAT', 1_000)],
  TR: () => [included('VAT', 1_000), added('ACCOMMODATION-TAX', 200)],
  TJ: () => [added('VAT', 1_400)],
  UZ: () => [included('VAT', 1_200)],
  IN: () => [added('GST', 1_200)],
  SA: () => [added('VAT', 1_500), added('MUNICIPALITY', 250)],
  GB: () => [included('VAT', 2_000)],
  DE: cityTax(700, 300),
  FR: cityTax(1_000, 375),
  AT: cityTax(1_000, 280),
  IT: cityTax(1_000, 450, 10),
  ES: cityTax(1_000, 275),
  NL: cityTax(900, 420),
}

const ELSEWHERE: TaxTable = () => [included('VAT', 1_000)]

/** Simplified for the demo: one table per country, as for an ordinary room. */
export function taxesOf(country: string, context: TaxContext): readonly TaxRule[] {
  return (TABLES[country] ?? ELSEWHERE)(context)
}

/** A fixed amount converted to the currency of the hotel, at the reference rates. */
export function localAmount(minor: number, from: CurrencyCode, to: CurrencyCode): string {
  const micro = BigInt(minor) * minorUnitOf(from)
  if (from === to) return micro.toString()
  const step = minorUnitOf(to)
  const amount = divideHalfEven(micro * REFERENCE_FX[to], REFERENCE_FX[from] * step) * step
  return amount.toString()
}
