import type { UpstreamCall } from '@melmastoon/bff/upstreams'
import type { CachedBytes, CacheState } from '@melmastoon/chassis/cache'
import { createDeadline } from '@melmastoon/chassis/clock'
import { settleSections } from '@melmastoon/chassis/upstream'
import type { IsoDate, TenantId } from '@melmastoon/domain'
import { type Brands, peekBrands, readBrands } from '../brands/read-brands.ts'
import type { ConsumerContext } from '../context.ts'
import { asBudgetExceeded, UPSTREAM_MS } from '../upstreams/create-upstreams.ts'
import { propertyOf, signalsOf } from './hotel-facts.ts'
import type { HotelQuestion } from './hotel-query.ts'
import { type HotelPieces, joinHotel, judgeHotel } from './join-hotel.ts'
import { priceFactsOf } from './price-facts.ts'
import { peekPrices, planPrices, readPrices } from './read-prices.ts'
import { type HotelSources, peekSources, readSources } from './read-sources.ts'
import { writeHotel } from './write-hotel.ts'

export interface ServedHotel {
  readonly bytes: CachedBytes
  readonly tenantId: TenantId
  /** What the caches had of it, the worst of all parts. */
  readonly state: CacheState
  /** Something could not be had at all. */
  readonly isIncomplete: boolean
}

/** The page, if this process has it ready. */
export function peekHotel(ctx: ConsumerContext, question: HotelQuestion): ServedHotel | undefined {
  const sources = peekSources(ctx, question.propertyId)
  if (sources === undefined) return undefined
  const brands = peekBrands(ctx, tenantsOf(sources))
  const asked = planPrices(ctx, question, sources)
  const prices = peekPrices(ctx, asked)
  if (brands === undefined || prices === undefined) return undefined
  const pieces = { sources, asked, prices, brands }
  const { dims, isIncomplete } = nameOf(ctx, question, pieces)
  const bytes = ctx.hotelPages.peek(dims)
  return bytes && { bytes, tenantId: sources.tenantId, state: 'hit', isIncomplete }
}

/**
 * The property and what the search service adds at once; then prices and brands at once, of this
 * hotel and of those like it. Only the property is worth a refusal.
 */
export async function readHotel(
  ctx: ConsumerContext,
  question: HotelQuestion,
  call: UpstreamCall,
): Promise<ServedHotel> {
  const sources = await readSources(ctx, question.propertyId, call).catch(asBudgetExceeded)
  const pieces = await enrich(ctx, question, { ...call, sources })
  const { dims, sections, isIncomplete } = nameOf(ctx, question, pieces)
  const bytes = await ctx.hotelPages.get({
    dims,
    load: async () => {
      for (const [section, { status }] of Object.entries(sections)) {
        ctx.measures.sections.inc({ section, status })
      }
      return { body: joinHotel(await readText(ctx, question, pieces), pieces, sections) }
    },
  })
  const states = [sources.property, sources.signals, pieces.prices].map((part) => part?.state)
  return { bytes, tenantId: sources.tenantId, state: worstOf(states), isIncomplete }
}

async function enrich(
  ctx: ConsumerContext,
  question: HotelQuestion,
  { sources, deadline: whole, trace }: UpstreamCall & { readonly sources: HotelSources },
): Promise<HotelPieces> {
  using pricing = createDeadline(UPSTREAM_MS.pricing, { parent: whole.signal })
  using theme = createDeadline(UPSTREAM_MS.theme, { parent: whole.signal })
  const asked = planPrices(ctx, question, sources)
  const { prices, brands } = await settleSections(
    {
      prices: readPrices(ctx, asked, { deadline: pricing, trace }),
      brands: readBrands(ctx, tenantsOf(sources), { deadline: theme, trace }),
    },
    ctx.reportSection,
  )
  return { sources, asked, prices: prices.value, brands: brands.value }
}

function tenantsOf({ tenantId, similar }: HotelSources): TenantId[] {
  return [tenantId, ...similar.map((hotel) => hotel.tenantId)]
}

/**
 * A page is named by what it is joined of, and by what has to be said of that. The bytes of a price
 * document do not tell its prices of other hotels apart: its currency and its moment do.
 */
function nameOf(ctx: ConsumerContext, { locale }: HotelQuestion, pieces: HotelPieces) {
  const { sources, asked, prices, brands } = pieces
  const sections = judgeHotel(pieces, ctx.clock.nowMs())
  const statuses = Object.values(sections).map(({ status }) => status)
  const { stay, occupancy, currency } = asked
  const capturedAtMs = prices && priceFactsOf(prices).capturedAtMs
  return {
    sections,
    isIncomplete: statuses.includes('missing'),
    dims: {
      parts: `${sourcesOf(sources)} ${brandsOf(brands)} ${statuses.join(' ')}`,
      priced: JSON.stringify([prices?.etag, capturedAtMs, currency, stay, occupancy]),
      locale,
    },
  }
}

function sourcesOf({ property, signals, similar }: HotelSources): string {
  const shown = similar.map(({ propertyId }) => propertyId).join(' ')
  return `${property.etag} ${signals?.etag} ${shown}`
}

function brandsOf(brands: Brands | undefined): string {
  return brands?.version ?? ''
}

/** The part that lives long, in the reader's language. */
async function readText(
  ctx: ConsumerContext,
  { locale }: HotelQuestion,
  { sources, brands }: HotelPieces,
): Promise<string> {
  const today = ctx.clock.now().toISOString().slice(0, 10) as IsoDate
  const { body } = await ctx.hotelTexts.get({
    dims: { sources: sourcesOf(sources), brands: brandsOf(brands), locale },
    load: async () => {
      const parts = {
        detail: propertyOf(sources.property),
        signals: sources.signals && signalsOf(sources.signals),
        similar: new Set(sources.similar.map(({ propertyId }) => propertyId)),
        brands: brands?.byTenant ?? new Map<TenantId, string>(),
      }
      return { body: writeHotel(parts, { locale, region: ctx.config.region, today }) }
    },
  })
  return body.toString()
}

const WORST_FIRST = ['bypass', 'miss', 'stale'] as const

function worstOf(states: readonly (CacheState | undefined)[]): CacheState {
  return WORST_FIRST.find((state) => states.includes(state)) ?? 'hit'
}
