import type { TimeLimit } from '@melmastoon/chassis/clock'
import type { Tx } from '@melmastoon/chassis/db'
import { appendEvents } from '@melmastoon/chassis/outbox'
import type { PropertyId } from '@melmastoon/domain'
import type { GuestActor } from '../sessions/guest-actor.ts'
import type { ReportDeps } from '../telemetry/report.ts'
import { type ChangeWishlistDeps, changeWishlist } from './change-wishlist.ts'
import { reportRemoved } from './report-wish.ts'
import { deleteWish, findWish, toWish } from './wishlist-sql.ts'

export interface RemoveWish extends GuestActor {
  readonly propertyId: PropertyId
  readonly deadline: TimeLimit
}

export type RemoveWishDeps = ChangeWishlistDeps & ReportDeps

/** Idempotent: a wish that is not there counts as removed. */
export async function removeWish(
  deps: RemoveWishDeps,
  removal: RemoveWish,
  finish: (tx: Tx) => Promise<void>,
): Promise<void> {
  const { session, deadline } = removal
  const key = { guestSessionId: session.id, propertyId: removal.propertyId }
  await changeWishlist(deps, { session, deadline }, async (tx) => {
    const [removed] = await tx.query(deleteWish(key))
    if (removed !== undefined) {
      const [left] = await tx.query(findWish(key))
      await appendEvents(
        tx,
        reportRemoved(deps, removal, { ...toWish(removed), size: left?.size ?? 0 }),
      )
    }
    await finish(tx)
  })
}
