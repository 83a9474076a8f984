import { type Statement, sql } from '@melmastoon/chassis/db'

export function markReserved(id: string, reservationRef: string): Statement<{ id: string }> {
  return sql<{ id: string }>`
    update notes set reservation_ref = ${reservationRef} where id = ${id}::uuid returning id`
}
