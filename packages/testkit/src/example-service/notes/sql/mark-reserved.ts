import { type SqlFragment, sql } from '@melmastoon/chassis/db'

/** Part of one statement: it writes only while this attempt holds the claim. */
export function markReserved(id: string, reservationRef: string): SqlFragment {
  return sql`
    update notes set reservation_ref = ${reservationRef} from claimed
    where id = ${id}::uuid returning 1`
}
