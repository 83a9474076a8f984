import type { Section } from '@melmastoon/bff/sections'
import type { UpstreamCall } from '@melmastoon/bff/upstreams'
import { createDeadline } from '@melmastoon/chassis/clock'
import type { IsoDate, PropertyId } from '@melmastoon/domain'
import { neutralBrand } from '../brands/neutral-brand.ts'
import { type Brands, readBrands } from '../brands/read-brands.ts'
import type { ConsumerContext } from '../context.ts'
import { type KnownListings, readKnownListings } from '../listings/read-listings.ts'
import type { SearchQuery } from '../search/search-query.ts'
import type { Preferences } from '../sessions/choose-preferences.ts'
import { UPSTREAM_MS } from '../upstreams/create-upstreams.ts'
import type { CardSections } from './listing-card.ts'
import { type Prices, readPrices } from './read-prices.ts'
import { writeCard } from './write-card.ts'

export interface ReadCards extends Preferences, UpstreamCall {
  /** Without a stay there is nothing to price. */
  readonly stay?: SearchQuery['dates'] | undefined
  readonly occupancy?: SearchQuery['occupancy'] | undefined
}

export interface Cards {
  /**
   * `ListingCardVM` as JSON, in the order asked for. Hotels that are gone or suspended have none.
   */
  readonly cards: ReadonlyMap<PropertyId, string>
  /** These have none because nobody could be asked for them: they may well exist. */
  readonly untold: ReadonlySet<PropertyId>
  readonly sections: CardSections
}

interface Told {
  readonly status: Section['status']
  readonly ageMs: number
}

const DEFAULT_OCCUPANCY: SearchQuery['occupancy'] = { adults: 2, children: 0, rooms: 1 }

/**
 * The cards of hotels known by id, at most as many as a wishlist has. A dead theme or pricing
 * service costs them their colours or their prices.
 * @throws Problem when the search service cannot be asked and not one hotel is kept.
 */
export async function readCards(
  ctx: ConsumerContext,
  propertyIds: readonly PropertyId[],
  call: ReadCards,
): Promise<Cards> {
  const listings = await readKnownListings(ctx, propertyIds, call)
  const [brands, prices] = await Promise.all([
    brandsOf(ctx, listings, call),
    pricesOf(ctx, listings, call),
  ])
  const today = ctx.clock.now().toISOString().slice(0, 10) as IsoDate
  const view = { locale: call.locale, region: ctx.config.region, today }
  const cards = new Map<PropertyId, string>()
  for (const [propertyId, listing] of listings.byProperty) {
    const brandPeek = brands.byTenant.get(listing.tenantId) ?? JSON.stringify(neutralBrand(listing))
    const rateSnapshot = prices?.byProperty.get(propertyId)
    cards.set(propertyId, writeCard(listing, { brandPeek, rateSnapshot }, view))
  }
  return { cards, untold: listings.untold, sections: judge(ctx, { listings, brands, prices }) }
}

/** Never rejects: what cannot be read is missing. */
async function brandsOf(
  ctx: ConsumerContext,
  { byProperty }: KnownListings,
  { deadline: whole, trace }: ReadCards,
): Promise<Brands> {
  using deadline = createDeadline(UPSTREAM_MS.theme, { parent: whole.signal })
  const tenantIds = [...byProperty.values()].map(({ tenantId }) => tenantId)
  return await readBrands(ctx, tenantIds, { deadline, trace })
}

async function pricesOf(
  ctx: ConsumerContext,
  { byProperty }: KnownListings,
  { stay, occupancy = DEFAULT_OCCUPANCY, ...call }: ReadCards,
): Promise<Prices | undefined> {
  if (stay === undefined) return undefined
  const query = { dates: stay, occupancy }
  return readPrices(ctx, [...byProperty.keys()], { ...call, query })
}

function judge(
  ctx: ConsumerContext,
  { listings, brands, prices }: { listings: Told; brands: Told; prices: Told | undefined },
): CardSections {
  const sections: CardSections = {
    listings: sectionOf(listings),
    brands: sectionOf(brands),
    ...(prices !== undefined && { prices: sectionOf(prices) }),
  }
  for (const [section, { status }] of Object.entries(sections)) {
    ctx.measures.sections.inc({ section, status })
  }
  return sections
}

function sectionOf({ status, ageMs }: Told): Section {
  return { status, ageMs: Math.round(ageMs) }
}
