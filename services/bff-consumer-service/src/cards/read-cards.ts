import { countSections, type Section, sectionOf } from '@melmastoon/bff/sections'
import type { Occupancy } from '@melmastoon/bff/stays'
import type { UpstreamCall } from '@melmastoon/bff/upstreams'
import { createDeadline } from '@melmastoon/chassis/clock'
import type { CounterMetric } from '@melmastoon/chassis/telemetry'
import type { CurrencyCode, IsoDate, Locale, PropertyId, StayDates } from '@melmastoon/domain'
import { neutralBrand } from '../brands/brand-peek.ts'
import type { Brands } from '../brands/brand-sets.ts'
import { type BrandDeps, readBrands } from '../brands/read-brands.ts'
import {
  type KnownListings,
  type ListingDeps,
  readKnownListings,
} from '../listings/read-listings.ts'
import { writeStayPrice } from '../rates/rate-snapshot.ts'
import {
  PRICED_MAX,
  type PricedStay,
  type RateDeps,
  type Rates,
  readRates,
} from '../rates/read-rates.ts'
import { asBudgetExceeded, UPSTREAM_MS } from '../upstreams/create-upstreams.ts'
import type { CardSections } from './listing-card.ts'
import { writeCard } from './write-card.ts'

export type CardDeps = ListingDeps &
  BrandDeps &
  RateDeps & {
    readonly config: { readonly region: string }
    readonly measures: { readonly sections: CounterMetric<'section' | 'status'> }
  }

export interface ReadCards extends UpstreamCall {
  readonly locale: Locale
  readonly currency: CurrencyCode
  /** Without a stay there are no prices. */
  readonly stay?: StayDates | undefined
  readonly occupancy?: Occupancy | undefined
}

export interface Cards {
  /** `ListingCardVM` as JSON, in the requested order, without withdrawn and suspended hotels. */
  readonly cards: ReadonlyMap<PropertyId, string>
  /** Neither cached nor loadable: these may or may not exist. */
  readonly notLoaded: ReadonlySet<PropertyId>
  readonly sections: CardSections
}

const DEFAULT_OCCUPANCY: Occupancy = { adults: 2, children: 0, rooms: 1 }

/**
 * The cards of hotels by id, as many as a wishlist has at most. Without the theme or the pricing
 * service they have neutral brands or no prices.
 * @throws Problem when none of the hotels is cached and the search service cannot be called.
 */
export async function readCards(
  deps: CardDeps,
  propertyIds: readonly PropertyId[],
  call: ReadCards,
): Promise<Cards> {
  const listings = await readKnownListings(deps, propertyIds, call).catch(asBudgetExceeded)
  const [brands, prices] = await Promise.all([
    readCardBrands(deps, listings, call),
    readPricesOfStay(deps, listings, call),
  ])
  const today = deps.clock.now().toISOString().slice(0, 10) as IsoDate
  const options = { locale: call.locale, region: deps.config.region, today }
  const cards = new Map<PropertyId, string>()
  for (const [propertyId, listing] of listings.byProperty) {
    const brandPeek = brands.byTenant.get(listing.tenantId) ?? JSON.stringify(neutralBrand(listing))
    const price = writeStayPrice(prices?.byProperty.get(propertyId), call.locale)
    cards.set(propertyId, writeCard(listing, { brandPeek, price }, options))
  }
  const sections: CardSections = {
    listings: sectionOf(listings),
    brands: sectionOf(brands),
    ...(prices !== undefined && { prices: sectionOf(prices) }),
  }
  countSections(deps.measures.sections, sections)
  return { cards, notLoaded: listings.notLoaded, sections }
}

/** Never rejects: brands that cannot be loaded are missing. */
async function readCardBrands(
  deps: CardDeps,
  { byProperty }: KnownListings,
  { deadline: whole, trace }: ReadCards,
): Promise<Brands> {
  using deadline = createDeadline(UPSTREAM_MS.theme, { parent: whole.signal })
  const tenantIds = [...byProperty.values()].map(({ tenantId }) => tenantId)
  return await readBrands(deps, tenantIds, { deadline, trace })
}

async function readPricesOfStay(
  deps: CardDeps,
  { byProperty }: KnownListings,
  { stay, occupancy = DEFAULT_OCCUPANCY, ...call }: ReadCards,
): Promise<CardPrices | undefined> {
  if (stay === undefined) return undefined
  const query = { dates: stay, occupancy }
  return readCardPrices(deps, [...byProperty.keys()], { ...call, query })
}

interface CardPrices extends Section {
  readonly byProperty: Rates['byProperty']
}

/** Any number of hotels, with as few calls as the pricing service allows. Never rejects. */
async function readCardPrices(
  deps: RateDeps,
  propertyIds: readonly PropertyId[],
  { deadline: whole, trace, ...priced }: UpstreamCall & PricedStay,
): Promise<CardPrices> {
  using deadline = createDeadline(UPSTREAM_MS.pricing, { parent: whole.signal })
  const calls = inBatches(propertyIds).map((batch) =>
    readRates(deps, priced, { propertyIds: batch, deadline, trace }),
  )
  const settled = await Promise.allSettled(calls)
  const rates = settled.filter((call) => call.status === 'fulfilled').map(({ value }) => value)
  const nowMs = deps.clock.nowMs()
  const isStale = rates.some(({ staleFromMs }) => nowMs >= staleFromMs)
  return {
    byProperty: new Map(rates.flatMap(({ byProperty }) => [...byProperty])),
    status: rates.length < settled.length ? 'missing' : isStale ? 'stale' : 'fresh',
    ageMs: greatestAge(rates, nowMs),
  }
}

function inBatches(propertyIds: readonly PropertyId[]): PropertyId[][] {
  const count = Math.ceil(propertyIds.length / PRICED_MAX)
  return Array.from({ length: count }, (_, at) =>
    propertyIds.slice(at * PRICED_MAX, (at + 1) * PRICED_MAX),
  )
}

function greatestAge(rates: readonly Rates[], nowMs: number): number {
  return rates.reduce((oldestMs, rate) => Math.max(oldestMs, nowMs - rate.capturedAtMs), 0)
}
