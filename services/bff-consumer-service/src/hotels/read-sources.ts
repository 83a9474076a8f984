import { asAbsent, type UpstreamCall } from '@melmastoon/bff/upstreams'
import type { CachedBytes, DefinedCache, LoadResult } from '@melmastoon/chassis/cache'
import { settleSections } from '@melmastoon/chassis/upstream'
import type { PropertyId, TenantId } from '@melmastoon/domain'
import type { ConsumerContext } from '../context.ts'
import { hotelAddress, unknownHotel } from '../listings/listing-cache.ts'
import { cachePlaces } from '../places/place-tags.ts'
import {
  factsOfProperty,
  factsOfSignals,
  readPropertyFacts,
  readSimilar,
  type Similar,
} from './hotel-facts.ts'

/** What a page is made of, prices and brands apart. */
export interface HotelSources {
  readonly property: CachedBytes
  readonly tenantId: TenantId
  readonly timeZone: string
  /** Undefined while the search service tells nothing. */
  readonly signals: CachedBytes | undefined
  /** Those of suspended tenants left out. */
  readonly similar: readonly Similar[]
}

/** What this process has ready; undefined when something has to be asked for. */
export function peekSources(ctx: ConsumerContext, propertyId: PropertyId) {
  const { dims, tags } = hotelAddress(propertyId)
  const property = ctx.properties.peek(dims, tags)
  const signals = ctx.hotelSignals.peek(dims, tags)
  if (property === undefined || signals === undefined) return undefined
  return understand(ctx, property, signals)
}

/**
 * Both at once. The page needs the property; the signals of the search service have as much time.
 * Their time is that of the load, not of the request: requests that share a load also share its
 * outcome, so all of them show the same similar hotels and request the same prices and brands.
 * @throws Problem PROPERTY.NOT_FOUND, or what keeps the property service from answering.
 */
export async function readSources(
  ctx: ConsumerContext,
  propertyId: PropertyId,
  call: UpstreamCall,
): Promise<HotelSources> {
  const [property, { signals }] = await Promise.all([
    readProperty(ctx, propertyId, call),
    settleSections(
      {
        signals: readEntry(ctx, ctx.hotelSignals, { ...call, propertyId, ask: askSignals }),
      },
      ctx.reportSection,
    ),
  ])
  return understand(ctx, property, signals.value)
}

/** What the property service tells in all languages; 404 where it knows no such hotel. */
export function readProperty(
  ctx: ConsumerContext,
  propertyId: PropertyId,
  call: UpstreamCall,
): Promise<CachedBytes> {
  return readEntry(ctx, ctx.properties, { ...call, propertyId, ask: askProperty })
}

interface ReadEntry extends UpstreamCall {
  readonly propertyId: PropertyId
  readonly ask: Ask
}

function readEntry(
  ctx: ConsumerContext,
  cache: DefinedCache<'propertyId'>,
  { propertyId, ask, deadline, trace }: ReadEntry,
): Promise<CachedBytes> {
  return cache.get({
    ...hotelAddress(propertyId),
    deadline,
    load: async (_signal, loadDeadline) =>
      (await ask(ctx, propertyId, { deadline: loadDeadline, trace }).catch(asAbsent)) ?? ABSENT,
  })
}

/** What strangers cannot find is not there for them, whichever service knows it (D18). */
function understand(
  ctx: ConsumerContext,
  property: CachedBytes,
  signals: CachedBytes | undefined,
): HotelSources {
  if (property.status === 404 || signals?.status === 404) throw unknownHotel()
  const { tenantId, timeZone } = readPropertyFacts(property)
  if (ctx.blocked.has(tenantId)) throw unknownHotel()
  const similar = signals === undefined ? [] : readSimilar(signals)
  const shown = similar.filter((hotel) => !ctx.blocked.has(hotel.tenantId))
  return { property, tenantId, timeZone, signals, similar: shown }
}

/** Kept for a moment. */
const ABSENT: LoadResult = { status: 404, body: '' }

type Ask = (ctx: ConsumerContext, id: PropertyId, call: UpstreamCall) => Promise<LoadResult>

const askProperty: Ask = async (ctx, propertyId, call) => {
  const property = await ctx.upstreams.property.getProperty({ params: { propertyId } }, call)
  return { body: JSON.stringify(property), facts: factsOfProperty(property) }
}

const askSignals: Ask = async (ctx, propertyId, call) => {
  const signals = await ctx.upstreams.search.hotel({ params: { propertyId } }, call)
  cachePlaces(ctx.places, [signals.listing, ...signals.similar])
  return { body: JSON.stringify(signals), facts: factsOfSignals(signals) }
}
