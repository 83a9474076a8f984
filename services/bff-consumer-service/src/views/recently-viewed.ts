import type { Preferences } from '@melmastoon/bff/preferences'
import type { Deadline } from '@melmastoon/chassis/clock'
import type { TraceContext } from '@melmastoon/chassis/telemetry'
import { instant } from '@melmastoon/upstream-contracts'
import { Type } from 'typebox'
import { CardSections, ListingCardVM } from '../cards/listing-card.ts'
import { type CardDeps, readCards } from '../cards/read-cards.ts'
import { VIEW_SOURCES } from '../events/view-events.ts'
import { type GuestSession, RECENTLY_VIEWED_MAX } from '../sessions/guest-session.ts'

const RecentlyViewedVM = Type.Object({
  viewedAt: instant(),
  source: Type.Enum([...VIEW_SOURCES]),
  card: ListingCardVM,
})

export const RecentlyViewedPage = Type.Object({
  sections: CardSections,
  degraded: Type.Boolean(),
  /** Newest first; hotels that are unlisted or suspended are omitted. */
  items: Type.Array(RecentlyViewedVM, { maxItems: RECENTLY_VIEWED_MAX }),
})

export interface ReadViews extends Preferences {
  readonly deadline: Deadline
  readonly trace: TraceContext
}

/**
 * The page as JSON. The list itself stays as it is: a suspended hotel may return.
 * @throws Problem when search is unavailable and no hotel is cached.
 */
export async function readRecentlyViewed(
  deps: CardDeps,
  session: GuestSession | undefined,
  call: ReadViews,
): Promise<string> {
  const entries = session?.data.recentlyViewed.toReversed() ?? []
  const propertyIds = entries.map(({ propertyId }) => propertyId)
  const { cards, sections } = await readCards(deps, propertyIds, call)
  const items = entries.flatMap(({ propertyId, viewedAt, source }) => {
    const card = cards.get(propertyId)
    return card === undefined
      ? []
      : `{"viewedAt":"${viewedAt}","source":"${source}","card":${card}}`
  })
  const degraded = Object.values(sections).some(({ status }) => status !== 'fresh')
  return `${JSON.stringify({ sections, degraded }).slice(0, -1)},"items":[${items.join(',')}]}`
}
