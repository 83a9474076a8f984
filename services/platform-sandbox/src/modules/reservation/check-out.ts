import type { InputOf } from '@melmastoon/upstream-contracts'
import type { StayDetail } from '@melmastoon/upstream-contracts/reservation'
import type { CallOf } from '../../contract-handlers.ts'
import { endRooms } from '../inventory/module.ts'
import { changeStay } from './change-stay.ts'
import type { ReservationOperations } from './reservation.ts'
import type { ReservationHost } from './reservation-host.ts'
import { allocationOf } from './stay.ts'
import { checkedOutEvent } from './stay-events.ts'
import { checkMove } from './transitions.ts'

type CheckOut = ReservationOperations['checkOut']

/** Also before the day of departure: the remaining nights stay sold, the rooms can be used. */
export async function checkOut(
  host: ReservationHost,
  { params, body }: InputOf<CheckOut>,
  call: CallOf<CheckOut>,
): Promise<StayDetail> {
  return await changeStay(host, {
    ...params,
    body,
    call,
    async apply({ tx, tenantId, row, plan }) {
      checkMove(row.status, 'checked_out')
      await endRooms(tx, { tenantId, allocationId: allocationOf(row) }, plan.today)
      return { to: 'checked_out', reasonCode: 'checked_out', event: checkedOutEvent }
    },
  })
}
