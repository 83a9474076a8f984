import { type SqlFragment, sql } from '@melmastoon/chassis/db'
import { type DraftId, idToUuid } from '@melmastoon/domain'
import { CLAIMED } from '../drafts/draft-sql.ts'

/**
 * For the completion of a request: nothing was decided about money and none may come. Locks the
 * record first, in the order of the fulfilment (record, draft), so that a decision under way is
 * waited for and seen.
 */
export function claimedWithoutPayment(draftId: DraftId): SqlFragment {
  const id = idToUuid(draftId)
  return sql`${CLAIMED} and coalesce((select f.decision is null from booking_fulfilment f
      where f.draft_id = ${id}::uuid for update), true)
    and not exists (select from booking_payment_attempt a
      where a.draft_id = ${id}::uuid and a.status in ('creating', 'open', 'paid'))`
}
