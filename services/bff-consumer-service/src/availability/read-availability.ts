import type { UpstreamCall } from '@melmastoon/bff/upstreams'
import type { CachedBytes, LoadResult } from '@melmastoon/chassis/cache'
import { UpstreamRefusal } from '@melmastoon/chassis/upstream'
import { type IsoDate, type PropertyId, problem, type TenantId } from '@melmastoon/domain'
import type { ConsumerContext } from '../context.ts'
import { readWithAge } from '../derived-responses/read-derived.ts'
import { listingTags, unknownHotel } from '../listings/listing-cache.ts'
import { readListing } from '../listings/read-listings.ts'
import { EVERY_PAGE } from '../places/place-tags.ts'
import { asBudgetExceeded } from '../upstreams/create-upstreams.ts'
import type { HotelAvailability } from './availability-view.ts'
import { AVAILABILITY_FRESH_MS } from './define-availability.ts'

export interface AvailabilityRequest {
  readonly propertyId: PropertyId
  readonly from: IsoDate
  /** Excluded, as the day of leaving is. */
  readonly to: IsoDate
}

const GONE: LoadResult = { status: 404, body: '' }
const AGING = { section: 'availability', freshMs: AVAILABILITY_FRESH_MS }

/**
 * From the search projection and nowhere else (C5): the books of rooms are not for strangers.
 * @throws Problem NOT_FOUND for a hotel nobody may see.
 */
export async function readAvailability(
  ctx: ConsumerContext,
  request: AvailabilityRequest,
  { deadline, trace }: UpstreamCall,
): Promise<{ readonly bytes: CachedBytes; readonly origin: CachedBytes }> {
  const { propertyId, from, to } = request
  const origin = await ctx.availability
    .get({
      dims: { propertyId, from, to },
      tags: [EVERY_PAGE, ...listingTags(propertyId)],
      deadline,
      load: (_signal, loadDeadline) => load(ctx, request, { deadline: loadDeadline, trace }),
    })
    .catch(asBudgetExceeded)
  if (origin.status !== 200 || isHidden(ctx, origin)) throw unknownHotel()
  return { bytes: await readWithAge(ctx, origin, AGING), origin }
}

/** A suspension holds from the moment it is heard of, whatever is still kept. */
function isHidden({ blocked }: ConsumerContext, { facts }: CachedBytes): boolean {
  return blocked.has(facts['tenantId'] as TenantId)
}

async function load(
  ctx: ConsumerContext,
  { propertyId, from, to }: AvailabilityRequest,
  call: UpstreamCall,
): Promise<LoadResult> {
  const asked = { params: { propertyId }, query: { from, to } }
  try {
    await ctx.blocked.refresh()
    const [listing, { nights }] = await Promise.all([
      readListing(ctx, propertyId, call),
      ctx.upstreams.search.availability(asked, call),
    ])
    if (listing === null) return GONE
    const answer: HotelAvailability = {
      sections: { availability: { status: 'fresh', ageMs: 0 } },
      degraded: false,
      propertyId,
      nights: nights.map(({ night, roomsLeft, roomsTotal }) => ({ night, roomsLeft, roomsTotal })),
    }
    return { body: JSON.stringify(answer), facts: { tenantId: listing.tenantId } }
  } catch (error) {
    if (error instanceof UpstreamRefusal) return explain(error)
    throw error
  }
}

function explain(refusal: UpstreamRefusal): LoadResult {
  if (refusal.code === 'MELMASTOON.PROPERTY.NOT_FOUND') return GONE
  if (refusal.code !== 'MELMASTOON.SEARCH.STAY_INVALID') {
    throw problem('MELMASTOON.BFF.UPSTREAM_CONTRACT_BROKEN', { cause: refusal })
  }
  const error = { pointer: '/query/from', code: 'refused', detail: 'cannot be told of' }
  throw problem('MELMASTOON.SEARCH.STAY_INVALID', { errors: [error], cause: refusal })
}
