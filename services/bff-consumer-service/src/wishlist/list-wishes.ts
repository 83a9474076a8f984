import { type ReadCards, readCards } from '../cards/read-cards.ts'
import type { ConsumerContext } from '../context.ts'
import type { GuestSession } from '../sessions/guest-session.ts'
import { type KnownWish, readWishes } from './read-wishes.ts'
import type { UnavailableWishVM, WishlistVM } from './wish.ts'

/**
 * A `WishlistVM` as JSON text, from cards that are JSON already. Hotels without a card are told of
 * apart, so that the guest can see what became of her wish, and remove it.
 */
export async function listWishes(
  ctx: ConsumerContext,
  session: GuestSession | undefined,
  call: ReadCards,
): Promise<string> {
  const { list, section } = await readWishes(ctx, session, call.deadline)
  const propertyIds = list.map(({ propertyId }) => propertyId)
  const { cards, notLoaded, sections: ofCards } = await readCards(ctx, propertyIds, call)
  const items: string[] = []
  const unavailable: UnavailableWishVM[] = []
  for (const wish of list) {
    const card = cards.get(wish.propertyId)
    if (card !== undefined) items.push(writeItem(card, wish))
    else unavailable.push(withoutCard(wish, notLoaded.has(wish.propertyId)))
  }
  const sections: WishlistVM['sections'] = { wishes: section, ...ofCards }
  const degraded = Object.values(sections).some(({ status }) => status !== 'fresh')
  const head = JSON.stringify({ size: list.length, sections, degraded, unavailable }).slice(0, -1)
  return `${head},"items":[${items.join(',')}]}`
}

function writeItem(card: string, wish: KnownWish): string {
  return `${JSON.stringify(ownPart(wish)).slice(0, -1)},"card":${card}}`
}

function withoutCard(wish: KnownWish, isUntold: boolean): UnavailableWishVM {
  const reason = isUntold ? 'not-loaded' : 'off-sale'
  return { propertyId: wish.propertyId, ...ownPart(wish), reason }
}

function ownPart({ wishlistId, addedAt, source, note }: KnownWish) {
  return {
    wishlistId,
    addedAt,
    ...(source !== undefined && { source }),
    ...(note !== undefined && { note }),
  }
}
