import type { Deadline } from '@melmastoon/chassis/clock'
import type { Tx } from '@melmastoon/chassis/db'
import { appendEvents } from '@melmastoon/chassis/outbox'
import type { TraceContext } from '@melmastoon/chassis/telemetry'
import { newId, type PropertyId } from '@melmastoon/domain'
import type { ConsumerContext } from '../context.ts'
import { unknownHotel } from '../listings/listing-cache.ts'
import { readListing } from '../listings/read-listings.ts'
import type { Witnessed } from '../telemetry/report.ts'
import { changeWishlist } from './change-wishlist.ts'
import { type AddedWish, decideWish } from './decide-wish.ts'
import { reportAdded } from './report-wish.ts'
import { deleteWish } from './sql/delete-wish.ts'
import type { WishSource } from './wish.ts'

export interface AddWish extends Witnessed {
  readonly propertyId: PropertyId
  readonly source: WishSource
  readonly note: string | undefined
  readonly deadline: Deadline
  readonly trace: TraceContext
}

/**
 * A hotel is wished for once: again, it is the same entry, with the note that was given last. Whose
 * hotel it is, the search projection knows; a client is not asked.
 * @throws Problem for a hotel that is not shown to strangers, and for one wish too many.
 */
export async function addWish(
  ctx: ConsumerContext,
  asked: AddWish,
  finish: (tx: Tx, added: AddedWish) => Promise<void>,
): Promise<void> {
  const { propertyId, source, note, session, deadline } = asked
  const listing = await readListing(ctx, propertyId, asked)
  if (listing === null) throw unknownHotel('/propertyId')
  const guestSessionId = session.id
  const { tenantId } = listing
  const wish = { wishlistId: newId('wsh'), guestSessionId, propertyId, tenantId, source, note }
  const { result, isOrphan } = await changeWishlist(ctx, { session, deadline }, async (tx) => {
    const added = await decideWish(tx, wish)
    if (added.isNew) await appendEvents(tx, reportAdded(ctx, asked, added.wish))
    await finish(tx, added)
    return added
  })
  // Nobody will ever see it: whoever made it has left, and what she left behind was deleted.
  if (isOrphan && result.isNew) await ctx.db.query(deleteWish(wish), { deadline })
}
