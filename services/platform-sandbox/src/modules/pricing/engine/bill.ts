import type { RoomTypeId } from '@melmastoon/domain'
import type { Day } from './day.ts'
import type { Micro } from './micro.ts'

export type LineKind = 'night' | 'extra' | 'discount' | 'promotion' | 'fee' | 'tax'

/** One line of a price; its amount is whole minor units. */
export interface BillLine {
  readonly kind: LineKind
  readonly code: string
  readonly roomTypeId?: RoomTypeId
  readonly night?: Day
  readonly quantity: number
  readonly amount: Micro
  readonly included: boolean
}

export interface Bill {
  readonly lines: readonly BillLine[]
  /** The exact sum of the lines that are not included. */
  readonly total: Micro
  /** The price of one room in its cheapest night. */
  readonly cheapestNight: Micro
}

export function sumOf(lines: readonly BillLine[]): Micro {
  let sum = 0n
  for (const line of lines) if (!line.included) sum += line.amount
  return sum
}
