import type { Database } from '@melmastoon/chassis/db'
import { idToUuid, type PropertyId } from '@melmastoon/domain'
import type { searchContract } from '@melmastoon/upstream-contracts/search'
import type { CallOf } from '../../contract-handlers.ts'
import type { ListingIndex } from './index/listing-index.ts'
import { countPopularity } from './popularity-sql.ts'
import { requireRow } from './read-hotel.ts'

type Click = CallOf<typeof searchContract.operations.click>

/** Counted once per idempotency key: the count is committed with the response. */
export async function recordClick(
  { db, index }: { db: Database; index: ListingIndex },
  propertyId: PropertyId,
  call: Click,
) {
  requireRow(index, propertyId)
  return await db.transaction(async (tx) => {
    await tx.query(countPopularity(idToUuid(propertyId), ['viewed_1h', 'viewed_7d']))
    return await call.finish(tx, { accepted: true })
  })
}
