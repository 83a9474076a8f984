import { asBrokenContract, type UpstreamCall } from '@melmastoon/bff/upstreams'
import type { CachedBytes, LoadResult } from '@melmastoon/chassis/cache'
import { type Locale, type PropertyId, textFor } from '@melmastoon/domain'
import type { OutputOf } from '@melmastoon/upstream-contracts'
import type { GeoArea, searchContract } from '@melmastoon/upstream-contracts/search'
import type { ConsumerContext } from '../context.ts'
import { readListings } from '../listings/read-listings.ts'
import { EVERY_PAGE } from '../places/place-tags.ts'
import { asBudgetExceeded } from '../upstreams/create-upstreams.ts'
import type { Suggestion, Suggestions } from './suggestion-view.ts'

export interface SuggestionRequest {
  readonly typed: string
  readonly limit: number
  readonly locale: Locale
}

type Named = OutputOf<(typeof searchContract)['operations']['suggest']>['suggestions'][number]

/** As far as one walks within a quarter. */
const QUARTER_RADIUS_KM = 2

export function readSuggestions(
  ctx: ConsumerContext,
  request: SuggestionRequest,
  { deadline, trace }: UpstreamCall,
): Promise<CachedBytes> {
  const { typed, limit, locale } = request
  return ctx.suggestions
    .get({
      dims: { typed, limit, locale },
      tags: [EVERY_PAGE],
      deadline,
      load: (_signal, loadDeadline) => load(ctx, request, { deadline: loadDeadline, trace }),
    })
    .catch(asBudgetExceeded)
}

async function load(
  ctx: ConsumerContext,
  { typed, limit, locale }: SuggestionRequest,
  call: UpstreamCall,
): Promise<LoadResult> {
  const asked = { query: { q: typed, limit } }
  const [{ suggestions }] = await Promise.all([
    ctx.upstreams.search.suggest(asked, { ...call, locale }).catch(asBrokenContract),
    ctx.blocked.refresh(),
  ])
  const visible = await withoutHidden(ctx, suggestions, call)
  const answer: Suggestions = { suggestions: visible.map((named) => suggest(named, locale)) }
  return { body: JSON.stringify(answer) }
}

/**
 * The projection hears of a suspension a moment later than we do, and a suggestion does not tell
 * whose hotel it is.
 */
async function withoutHidden(
  ctx: ConsumerContext,
  suggestions: readonly Named[],
  call: UpstreamCall,
): Promise<Named[]> {
  const hotels = suggestions.filter(({ kind }) => kind === 'property')
  const propertyIds = hotels.map(({ key }) => key as PropertyId)
  const known = hotels.length === 0 ? null : await readListings(ctx, propertyIds, call)
  return suggestions.filter(({ kind, key }) => kind !== 'property' || known?.has(key as PropertyId))
}

function suggest(named: Named, locale: Locale): Suggestion {
  const { kind, key, name, country, geo, properties } = named
  const geoQuery = areaOf(named)
  return {
    kind,
    key,
    name: textFor(name, locale),
    country,
    geo: { lat: geo.lat, lng: geo.lng },
    count: properties,
    ...(geoQuery && { geoQuery }),
    ...(kind === 'property' && { propertyId: key as PropertyId }),
  }
}

/** A hotel is opened, not searched for. */
function areaOf({ kind, key, geo }: Named): GeoArea | undefined {
  switch (kind) {
    case 'city':
      return { mode: 'city', city: key }
    case 'region':
      return { mode: 'region', region: key }
    case 'neighbourhood': {
      const { lat, lng } = geo
      return { mode: 'point', point: { lat, lng, radiusKm: QUARTER_RADIUS_KM } }
    }
    case 'property':
      return undefined
  }
}
