import type { BillLine } from './bill.ts'
import type { CompiledFee } from './compile-rules.ts'
import { countRooms, type RoomCount, type StayRequest } from './stay-request.ts'

export type FeeLine = BillLine & { readonly isTaxed: boolean }

export function feeLines(
  fees: readonly CompiledFee[],
  rooms: readonly RoomCount[],
  { nights }: StayRequest,
): FeeLine[] {
  const count = countRooms(rooms)
  return fees.map(({ code, per, amount, isTaxed }) => {
    const quantity = per === 'room' ? count : count * nights
    return {
      kind: 'fee',
      code,
      quantity,
      amount: amount * BigInt(quantity),
      included: false,
      isTaxed,
    }
  })
}
