import { problem } from '@melmastoon/domain'
import type { InputOf } from '@melmastoon/upstream-contracts'
import type { StayDetail } from '@melmastoon/upstream-contracts/reservation'
import type { CallOf } from '../../contract-handlers.ts'
import { releaseRooms } from '../inventory/module.ts'
import { changeStay } from './change-stay.ts'
import type { ReservationOperations } from './reservation.ts'
import type { ReservationHost } from './reservation-host.ts'
import { allocationOf } from './stay.ts'
import { noShowEvent } from './stay-events.ts'
import { checkMove } from './transitions.ts'

type MarkNoShow = ReservationOperations['markNoShow']

export async function markNoShow(
  host: ReservationHost,
  { params, body }: InputOf<MarkNoShow>,
  call: CallOf<MarkNoShow>,
): Promise<StayDetail> {
  return await changeStay(host, {
    ...params,
    body,
    call,
    async apply({ tx, tenantId, row, plan }) {
      checkMove(row.status, 'no_show')
      if (plan.today < row.check_in) throw problem('MELMASTOON.RESERVATION.ILLEGAL_TRANSITION')
      await releaseRooms(tx, { tenantId, allocationId: allocationOf(row) })
      return { to: 'no_show', reasonCode: 'no_show', event: noShowEvent }
    },
  })
}
