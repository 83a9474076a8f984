import type { CachedBytes, LoadResult } from '@melmastoon/chassis/cache'
import type { Deadline } from '@melmastoon/chassis/clock'
import type { TraceContext } from '@melmastoon/chassis/telemetry'
import type { PropertyId } from '@melmastoon/domain'
import type { Listing } from '@melmastoon/upstream-contracts/search'
import type { ConsumerContext } from '../context.ts'
import { rememberPlaces } from '../places/remember-places.ts'
import { listingTags } from './define-listings.ts'

export interface ReadListings {
  readonly deadline: Deadline
  readonly trace?: TraceContext
}

/** As many as one call takes: a wishlist has no more. */
const LISTINGS_MAX = 100

/**
 * What is shown of hotels known by id: those that are gone, or whose tenant is suspended, are not
 * among them. Mostly from this process; the rest comes in one call.
 * @throws Problem when the search service cannot be asked and nothing is kept.
 */
export async function readListings(
  ctx: ConsumerContext,
  propertyIds: readonly PropertyId[],
  call: ReadListings,
): Promise<ReadonlyMap<PropertyId, Listing>> {
  const wanted = [...new Set(propertyIds)].slice(0, LISTINGS_MAX)
  const warm = wanted.map((propertyId) => peek(ctx, propertyId))
  const cold = wanted.filter((_, at) => warm[at] === undefined)
  const load = loadTogether(ctx, cold, call.trace)
  const fetched = await Promise.all(cold.map((id) => read(ctx, id, { ...call, load })))
  const entries = [...warm.filter((entry) => entry !== undefined), ...fetched]
  const listings = entries.filter(({ status }) => status === 200).map(parse)
  return new Map(
    listings
      .filter(({ tenantId }) => !ctx.blocked.has(tenantId))
      .map((listing) => [listing.propertyId, listing]),
  )
}

/** Null: there is no such hotel for a stranger (D18). */
export async function readListing(
  ctx: ConsumerContext,
  propertyId: PropertyId,
  call: ReadListings,
): Promise<Listing | null> {
  const found = await readListings(ctx, [propertyId], call)
  return found.get(propertyId) ?? null
}

type Load = (propertyId: PropertyId, deadline: Deadline) => Promise<LoadResult>

function peek(ctx: ConsumerContext, propertyId: PropertyId): CachedBytes | undefined {
  return ctx.listings.peek({ propertyId }, listingTags(propertyId))
}

function read(
  ctx: ConsumerContext,
  propertyId: PropertyId,
  { deadline, load }: ReadListings & { readonly load: Load },
): Promise<CachedBytes> {
  return ctx.listings.get({
    dims: { propertyId },
    tags: listingTags(propertyId),
    deadline,
    load: (_signal, loadDeadline) => load(propertyId, loadDeadline),
  })
}

/** However many entries are missing, the search service is asked once. */
function loadTogether(
  ctx: ConsumerContext,
  propertyIds: PropertyId[],
  trace: TraceContext | undefined,
): Load {
  let asked: Promise<ReadonlyMap<PropertyId, Listing>> | undefined
  const ask = async (deadline: Deadline) => {
    const call = trace === undefined ? { deadline } : { deadline, trace }
    const { listings } = await ctx.upstreams.search.listings({ body: { propertyIds } }, call)
    rememberPlaces(ctx.places, listings)
    return new Map(listings.map((listing) => [listing.propertyId, listing]))
  }
  return async (propertyId, deadline) => {
    asked ??= ask(deadline)
    const listing = (await asked).get(propertyId)
    return listing === undefined ? { status: 404, body: '' } : { body: JSON.stringify(listing) }
  }
}

/** Checked against the contract when it was fetched. */
function parse({ body }: CachedBytes): Listing {
  return JSON.parse(body.toString()) as Listing
}
