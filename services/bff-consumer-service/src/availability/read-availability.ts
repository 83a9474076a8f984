import { FRESH_SECTION, Section } from '@melmastoon/bff/sections'
import type { BlockedTenants } from '@melmastoon/bff/tenants'
import type { UpstreamCall } from '@melmastoon/bff/upstreams'
import {
  type Cache,
  type CachedBytes,
  type DefinedCache,
  type LoadResult,
  memoizeAddresses,
  memoizeDims,
} from '@melmastoon/chassis/cache'
import { fromUpstreamRejection, UpstreamRejection } from '@melmastoon/chassis/upstream'
import { type IsoDate, type PropertyId, problem, type TenantId } from '@melmastoon/domain'
import { id, isoDate } from '@melmastoon/upstream-contracts'
import { type Static, Type } from 'typebox'
import { type DerivedDeps, readWithAge } from '../derived-responses/read-derived.ts'
import { unknownHotel } from '../listings/listing-cache.ts'
import { type ListingDeps, readListing } from '../listings/read-listings.ts'
import { EVERY_PAGE, listingTags } from '../places/place-tags.ts'
import { asBudgetExceeded, UPSTREAM_MS } from '../upstreams/create-upstreams.ts'

export const NIGHTS_MAX = 92

const count = () => Type.Integer({ minimum: 0 })

/** Rooms of a hotel per night. Not binding: the booking decides. */
export const HotelAvailability = Type.Object({
  sections: Type.Object({ availability: Section }),
  degraded: Type.Boolean(),
  propertyId: id('ppt'),
  nights: Type.Array(Type.Object({ night: isoDate(), roomsLeft: count(), roomsTotal: count() }), {
    maxItems: NIGHTS_MAX,
  }),
})

export type HotelAvailability = Static<typeof HotelAvailability>

export type AvailabilityCache = DefinedCache<'propertyId' | 'from' | 'to'>

export type AvailabilityDeps = ListingDeps &
  DerivedDeps & {
    readonly availability: AvailabilityCache
    readonly blocked: BlockedTenants
  }

const FRESH_MS = 30_000

/** Numbers of rooms, the same in every language. */
export function defineAvailability(cache: Cache): AvailabilityCache {
  return cache.define({
    name: 'availability',
    dimensions: ['propertyId', 'from', 'to'],
    softTtlMs: FRESH_MS,
    staleWhileRevalidateMs: 15_000,
    staleIfErrorMs: 600_000,
    negativeTtlMs: 10_000,
    loadTimeoutMs: UPSTREAM_MS.search,
    followerWaitMs: UPSTREAM_MS.search,
  })
}

export interface AvailabilityRequest {
  readonly propertyId: PropertyId
  readonly from: IsoDate
  /** Exclusive, like a check-out. */
  readonly to: IsoDate
}

const tagsOf = memoizeAddresses('propertyId', (propertyId: PropertyId) => [
  EVERY_PAGE,
  ...listingTags(propertyId),
])
const dimsOf = ({ propertyId, from, to }: AvailabilityRequest) => ({ propertyId, from, to })
const memoizedDims = memoizeDims(dimsOf)

/** The rooms of a visible hotel, if this process has them in memory. */
export function peekAvailability(
  deps: Pick<AvailabilityDeps, 'availability' | 'blocked'>,
  request: AvailabilityRequest,
): CachedBytes | undefined {
  const entry = deps.availability.peek(memoizedDims(request), tagsOf(request.propertyId).tags)
  return entry?.status === 200 && !isBlocked(deps, entry) ? entry : undefined
}

/**
 * From the search projection only (C5): anonymous traffic never reaches the inventory service.
 * @throws Problem NOT_FOUND for a hotel that is not visible to guests.
 */
export async function readAvailability(
  deps: AvailabilityDeps,
  request: AvailabilityRequest,
  { deadline, trace }: UpstreamCall,
): Promise<{ readonly bytes: CachedBytes; readonly origin: CachedBytes }> {
  const origin = await deps.availability
    .get({
      dims: dimsOf(request),
      tags: tagsOf(request.propertyId).tags,
      deadline,
      load: (_signal, loadDeadline) => load(deps, request, { deadline: loadDeadline, trace }),
    })
    .catch(asBudgetExceeded)
  if (origin.status !== 200 || isBlocked(deps, origin)) throw unknownHotel()
  const bytes = await readWithAge(deps, origin, { section: 'availability', freshMs: FRESH_MS })
  return { bytes, origin }
}

/** A suspension takes effect as soon as it is known, whatever is still cached. */
function isBlocked(
  { blocked }: Pick<AvailabilityDeps, 'blocked'>,
  { facts }: CachedBytes,
): boolean {
  return blocked.has(facts['tenantId'] as TenantId)
}

const ABSENT: LoadResult = { status: 404, body: '' }

async function load(
  deps: AvailabilityDeps,
  { propertyId, from, to }: AvailabilityRequest,
  call: UpstreamCall,
): Promise<LoadResult> {
  const request = { params: { propertyId }, query: { from, to } }
  try {
    await deps.blocked.refreshIfOld()
    const [listing, { nights }] = await Promise.all([
      readListing(deps, propertyId, call),
      deps.upstreams.search.availability(request, call),
    ])
    if (listing === null) return ABSENT
    const response: HotelAvailability = {
      sections: { availability: FRESH_SECTION },
      degraded: false,
      propertyId,
      nights: nights.map(({ night, roomsLeft, roomsTotal }) => ({ night, roomsLeft, roomsTotal })),
    }
    return { body: JSON.stringify(response), facts: { tenantId: listing.tenantId } }
  } catch (error) {
    if (error instanceof UpstreamRejection) return toLoadResult(error)
    throw error
  }
}

function toLoadResult(error: UpstreamRejection): LoadResult {
  if (error.code === 'MELMASTOON.PROPERTY.NOT_FOUND') return ABSENT
  if (error.code !== 'MELMASTOON.SEARCH.STAY_INVALID') throw fromUpstreamRejection(error)
  const detail = 'is not accepted by the search service'
  const errors = [{ pointer: '/query/from', code: 'refused', detail }]
  throw problem('MELMASTOON.SEARCH.STAY_INVALID', { errors, cause: error })
}
