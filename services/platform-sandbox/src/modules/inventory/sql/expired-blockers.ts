import { type SqlFragment, sql } from '@melmastoon/chassis/db'
import type { IsoDate } from '@melmastoon/domain'

/** What somebody wants, as far as other holds can stand in its way. */
export interface Blockers {
  readonly tenant: string
  readonly roomTypes: readonly string[]
  readonly checkIn: IsoDate
  readonly checkOut: IsoDate
  readonly holder: string | null
  readonly session: string | null
  readonly allocation: string | null
}

/**
 * Whether allocation `a` is a hold whose time is over and that is in the way. The time is the
 * statement's, which an index can use; a hold that lapses a moment later is met by the next try.
 */
export function isExpiredBlocker(blockers: Blockers): SqlFragment {
  return sql`a.tenant_id = ${blockers.tenant}::uuid and a.state = 'active'
    and a.expires_at <= statement_timestamp()
    and (a.holder = ${blockers.holder}::text or a.session = ${blockers.session}::text
      or a.allocation_id = ${blockers.allocation}::uuid
      or (a.check_in < ${blockers.checkOut}::date and a.check_out > ${blockers.checkIn}::date
        and exists (
          select from sandbox.inventory_allocation_item i
          where i.tenant_id = a.tenant_id and i.allocation_id = a.allocation_id
            and i.room_type_id = any (${blockers.roomTypes}::uuid[]))))`
}
