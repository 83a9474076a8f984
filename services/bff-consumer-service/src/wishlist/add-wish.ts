import type { Deadline } from '@melmastoon/chassis/clock'
import type { Tx } from '@melmastoon/chassis/db'
import { appendEvents } from '@melmastoon/chassis/outbox'
import type { TraceContext } from '@melmastoon/chassis/telemetry'
import { newId, type PropertyId } from '@melmastoon/domain'
import { unknownHotel } from '../listings/listing-cache.ts'
import { type ListingDeps, readListing } from '../listings/read-listings.ts'
import type { GuestActor } from '../sessions/guest-actor.ts'
import type { ReportDeps } from '../telemetry/report.ts'
import { type ChangeWishlistDeps, changeWishlist } from './change-wishlist.ts'
import { type AddedWish, decideWish } from './decide-wish.ts'
import { reportAdded } from './report-wish.ts'
import type { WishSource } from './wish.ts'
import { deleteWish } from './wishlist-sql.ts'

export interface AddWish extends GuestActor {
  readonly propertyId: PropertyId
  readonly source: WishSource
  readonly note: string | undefined
  readonly deadline: Deadline
  readonly trace: TraceContext
}

export type AddWishDeps = ChangeWishlistDeps & ReportDeps & ListingDeps

/**
 * A hotel is on the list once: adding it again returns the same entry, with the latest note. The
 * tenant is that of the listing, never of the request.
 * @throws Problem for a hotel that is not listed, and when the wishlist is full.
 */
export async function addWish(
  deps: AddWishDeps,
  addition: AddWish,
  finish: (tx: Tx, added: AddedWish) => Promise<void>,
): Promise<void> {
  const { propertyId, source, note, session, deadline } = addition
  const listing = await readListing(deps, propertyId, addition)
  if (listing === null) throw unknownHotel('/propertyId')
  const guestSessionId = session.id
  const { tenantId } = listing
  const wish = { wishlistId: newId('wsh'), guestSessionId, propertyId, tenantId, source, note }
  const { result, isOrphan } = await changeWishlist(deps, { session, deadline }, async (tx) => {
    const added = await decideWish(tx, wish)
    if (added.isNew) await appendEvents(tx, reportAdded(deps, addition, added.wish))
    await finish(tx, added)
    return added
  })
  // The session was cleared after the wish was decided, and its data is already deleted.
  if (isOrphan && result.isNew) await deps.db.query(deleteWish(wish), { deadline })
}
