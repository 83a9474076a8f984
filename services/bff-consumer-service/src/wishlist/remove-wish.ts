import type { TimeLimit } from '@melmastoon/chassis/clock'
import type { Tx } from '@melmastoon/chassis/db'
import { appendEvents } from '@melmastoon/chassis/outbox'
import type { PropertyId } from '@melmastoon/domain'
import type { ConsumerContext } from '../context.ts'
import type { Witnessed } from '../telemetry/report.ts'
import { changeWishlist } from './change-wishlist.ts'
import { reportRemoved } from './report-wish.ts'
import { deleteWish } from './sql/delete-wish.ts'
import { findWish } from './sql/find-wish.ts'
import { toWish } from './sql/wish-row.ts'

export interface RemoveWish extends Witnessed {
  readonly propertyId: PropertyId
  readonly deadline: TimeLimit
}

/** What is not there needs no removing: both times it is gone afterwards. */
export async function removeWish(
  ctx: ConsumerContext,
  asked: RemoveWish,
  finish: (tx: Tx) => Promise<void>,
): Promise<void> {
  const { session, deadline } = asked
  const key = { guestSessionId: session.id, propertyId: asked.propertyId }
  await changeWishlist(ctx, { session, deadline }, async (tx) => {
    const [gone] = await tx.query(deleteWish(key))
    if (gone !== undefined) {
      const [left] = await tx.query(findWish(key))
      await appendEvents(tx, reportRemoved(ctx, asked, { ...toWish(gone), size: left?.size ?? 0 }))
    }
    await finish(tx)
  })
}
