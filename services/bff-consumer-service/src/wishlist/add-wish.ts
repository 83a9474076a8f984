import type { Deadline } from '@melmastoon/chassis/clock'
import type { Tx } from '@melmastoon/chassis/db'
import { appendEvents } from '@melmastoon/chassis/outbox'
import type { TraceContext } from '@melmastoon/chassis/telemetry'
import { type GuestSessionId, newId, type PropertyId, problem } from '@melmastoon/domain'
import type { ConsumerContext } from '../context.ts'
import { readListing } from '../listings/read-listings.ts'
import { WISHLIST_MAX } from '../sessions/guest-session.ts'
import type { Witnessed } from '../telemetry/report.ts'
import { changeWishlist } from './change-wishlist.ts'
import { reportAdded } from './report-wish.ts'
import { changeNote } from './sql/change-note.ts'
import { deleteWish } from './sql/delete-wish.ts'
import { findWish } from './sql/find-wish.ts'
import { insertWish } from './sql/insert-wish.ts'
import { toWish, type WishRow } from './sql/wish-row.ts'
import type { NewWish, WishKey, WishSource, WishVM } from './wish.ts'

export interface AddWish extends Witnessed {
  readonly propertyId: PropertyId
  readonly source: WishSource
  readonly note: string | undefined
  readonly deadline: Deadline
  readonly trace: TraceContext
}

export interface AddedWish {
  readonly isNew: boolean
  readonly wish: WishVM
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
  const { propertyId, source, note, session } = asked
  const listing = await readListing(ctx, propertyId, asked)
  if (listing === null) throw problem('MELMASTOON.PROPERTY.NOT_FOUND')
  const guestSessionId = session.id as GuestSessionId
  const { tenantId } = listing
  const wish = { wishlistId: newId('wsh'), guestSessionId, propertyId, tenantId, source, note }
  const { result, isOrphan } = await changeWishlist(ctx, guestSessionId, async (tx) => {
    const added = await decide(tx, wish)
    if (added.isNew) await appendEvents(tx, reportAdded(ctx, asked, added.wish))
    await finish(tx, added)
    return added
  })
  // Nobody will ever see it: whoever made it has left, and what she left behind was deleted.
  if (isOrphan && result.isNew) await ctx.db.query(deleteWish(wish))
}

/** Within the lock, so what is counted here stays true until the end. */
async function decide(tx: Tx, wish: NewWish): Promise<AddedWish> {
  const [found] = await tx.query(findWish(wish))
  const size = found?.size ?? 0
  if (found !== undefined && isWish(found)) {
    const row = await renote(tx, { wish, found })
    return { isNew: false, wish: { ...toWish(row), size } }
  }
  if (size >= WISHLIST_MAX) throw wishlistFull()
  const [row] = await tx.query(insertWish({ ...wish, note: meant(wish.note) }))
  if (row === undefined) throw new TypeError('an insert returns its row')
  return { isNew: true, wish: { ...toWish(row), size: size + 1 } }
}

function isWish(found: Partial<WishRow>): found is WishRow {
  return typeof found.wishlist_id === 'string'
}

/** Without a note in the request the one before stays; a blank one ends it. */
async function renote(
  tx: Tx,
  { wish, found }: { wish: WishKey & Pick<NewWish, 'note'>; found: WishRow },
): Promise<WishRow> {
  if (wish.note === undefined || (meant(wish.note) ?? null) === found.note) return found
  const [row = found] = await tx.query(changeNote(wish, meant(wish.note) ?? null))
  return row
}

function meant(note: string | undefined): string | undefined {
  return note?.trim() === '' ? undefined : note
}

function wishlistFull() {
  const detail = `holds ${WISHLIST_MAX} hotels already`
  const errors = [{ pointer: '/propertyId', code: 'limit', detail }]
  return problem('MELMASTOON.BFF.CONSUMER.WISHLIST_LIMIT_EXCEEDED', { errors })
}
