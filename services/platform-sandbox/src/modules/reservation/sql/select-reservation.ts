import { type Statement, sql } from '@melmastoon/chassis/db'
import type { ReservationRow } from '../reservation.ts'
import { bookingColumns, historyColumn } from './reservation-columns.ts'

export function selectReservation(tenant: string, reservation: string): Statement<ReservationRow> {
  return sql<ReservationRow>`
    select ${bookingColumns}, ${historyColumn} from sandbox.reservation_booking r
    where r.tenant_id = ${tenant}::uuid and r.reservation_id = ${reservation}::uuid`
}

/** Whatever a call with this key made or moved. Keys are the caller's own. */
export function selectReservationByKey(
  tenant: string,
  { caller, key }: { caller: string; key: string },
): Statement<ReservationRow> {
  return sql<ReservationRow>`
    select ${bookingColumns}, ${historyColumn} from sandbox.reservation_booking r
    where r.tenant_id = ${tenant}::uuid and r.reservation_id = (
      select c.reservation_id from sandbox.reservation_history c
      where c.tenant_id = ${tenant}::uuid and c.call_key = ${key} and c.caller = ${caller}
      order by c.at desc limit 1)`
}
