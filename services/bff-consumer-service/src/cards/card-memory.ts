import { LRUCache } from 'lru-cache'
import { type CardView, type Hit, type OwnPart, ownPart } from './own-part.ts'
import { isSameJson } from './same-json.ts'
import { openCard } from './write-card.ts'

/** Cards of hotels as they were last shown; more hotels than a process shows in an hour. */
const CARDS_MAX = 5_000

export interface CardMemory {
  /** The card's own part as bytes, not closed yet. */
  open(hit: Hit, view: CardView): Buffer
}

/**
 * The same hotels are on many pages, and look the same on most: what a card shows is compared with
 * what it showed, which costs a fraction of writing it.
 */
export function createCardMemory(): CardMemory {
  const known = new LRUCache<string, { readonly own: OwnPart; readonly bytes: Buffer }>({
    max: CARDS_MAX,
  })
  return {
    open(hit, view) {
      const own = ownPart(hit, view)
      const key = `${view.locale} ${hit.propertyId}`
      const last = known.get(key)
      if (last !== undefined && isSameJson(last.own, own)) return last.bytes
      const bytes = Buffer.from(openCard(own))
      known.set(key, { own, bytes })
      return bytes
    },
  }
}
