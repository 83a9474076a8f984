import type { Tx } from '@melmastoon/chassis/db'
import { problem } from '@melmastoon/domain'
import { WISHLIST_MAX } from '../sessions/guest-session.ts'
import type { NewWish, WishKey, WishVM } from './wish.ts'
import { changeNote, findWish, insertWish, toWish, type WishRow } from './wishlist-sql.ts'

export interface AddedWish {
  readonly isNew: boolean
  readonly wish: WishVM
}

/**
 * Within the lock (`lockWishlist`), so that the count stays valid until the commit.
 * @throws Problem when the wishlist is full.
 */
export async function decideWish(tx: Tx, wish: NewWish): Promise<AddedWish> {
  const [found] = await tx.query(findWish(wish))
  const size = found?.size ?? 0
  if (found !== undefined && isWish(found)) {
    const row = await updateNote(tx, { wish, found })
    return { isNew: false, wish: { ...toWish(row), size } }
  }
  if (size >= WISHLIST_MAX) throw wishlistFull()
  const [row] = await tx.query(insertWish({ ...wish, note: blankToNone(wish.note) }))
  if (row === undefined) throw new TypeError('an insert returns its row')
  return { isNew: true, wish: { ...toWish(row), size: size + 1 } }
}

function isWish(found: Partial<WishRow>): found is WishRow {
  return typeof found.wishlist_id === 'string'
}

/** Without a note in the request the previous one stays; a blank one deletes it. */
async function updateNote(
  tx: Tx,
  { wish, found }: { wish: WishKey & Pick<NewWish, 'note'>; found: WishRow },
): Promise<WishRow> {
  if (wish.note === undefined || (blankToNone(wish.note) ?? null) === found.note) return found
  const [row = found] = await tx.query(changeNote(wish, blankToNone(wish.note) ?? null))
  return row
}

function blankToNone(note: string | undefined): string | undefined {
  return note?.trim() === '' ? undefined : note
}

function wishlistFull() {
  const detail = `would be more than ${WISHLIST_MAX} hotels`
  const errors = [{ pointer: '/propertyId', code: 'limit', detail }]
  return problem('MELMASTOON.BFF.CONSUMER.WISHLIST_LIMIT_EXCEEDED', { errors })
}
