import { type CardDeps, type ReadCards, readCards } from '../cards/read-cards.ts'
import type { GuestSession } from '../sessions/guest-session.ts'
import { type KnownWish, type ReadWishesDeps, readWishes } from './read-wishes.ts'
import type { UnavailableWishVM, WishlistVM } from './wish.ts'

/**
 * A `WishlistVM` as JSON text, from cards that are JSON already. Hotels without a card are listed
 * separately, so that the guest can see and remove them.
 */
export async function listWishes(
  deps: ReadWishesDeps & CardDeps,
  session: GuestSession | undefined,
  call: ReadCards,
): Promise<string> {
  const { list, section } = await readWishes(deps, session, call.deadline)
  const propertyIds = list.map(({ propertyId }) => propertyId)
  const { cards, notLoaded, sections: cardSections } = await readCards(deps, propertyIds, call)
  const items: string[] = []
  const unavailable: UnavailableWishVM[] = []
  for (const wish of list) {
    const card = cards.get(wish.propertyId)
    if (card !== undefined) items.push(writeItem(card, wish))
    else unavailable.push(withoutCard(wish, notLoaded.has(wish.propertyId)))
  }
  const sections: WishlistVM['sections'] = { wishes: section, ...cardSections }
  const degraded = Object.values(sections).some(({ status }) => status !== 'fresh')
  const head = JSON.stringify({ size: list.length, sections, degraded, unavailable }).slice(0, -1)
  return `${head},"items":[${items.join(',')}]}`
}

function writeItem(card: string, wish: KnownWish): string {
  return `${JSON.stringify(wishFields(wish)).slice(0, -1)},"card":${card}}`
}

function withoutCard(wish: KnownWish, isNotLoaded: boolean): UnavailableWishVM {
  const reason = isNotLoaded ? 'not-loaded' : 'off-sale'
  return { propertyId: wish.propertyId, ...wishFields(wish), reason }
}

function wishFields({ wishlistId, addedAt, source, note }: KnownWish) {
  return {
    wishlistId,
    addedAt,
    ...(source !== undefined && { source }),
    ...(note !== undefined && { note }),
  }
}
