import type { BlockedTenants } from '@melmastoon/bff/tenants'
import { asRejectedRequest } from '@melmastoon/bff/upstreams'
import {
  type BatchCache,
  type CachedBytes,
  createBatchLoader,
  type LoadResult,
} from '@melmastoon/chassis/cache'
import type { Deadline } from '@melmastoon/chassis/clock'
import type { TraceContext } from '@melmastoon/chassis/telemetry'
import type { ReportSection } from '@melmastoon/chassis/upstream'
import type { PropertyId } from '@melmastoon/domain'
import type { Listing } from '@melmastoon/upstream-contracts/search'
import { cachePlaces, type Places } from '../places/place-tags.ts'
import { asBudgetExceeded, type Upstreams } from '../upstreams/create-upstreams.ts'
import { hotelAddress, type ListingCache } from './listing-cache.ts'

export interface ListingDeps {
  readonly listings: ListingCache
  readonly listingBatches: BatchCache
  readonly places: Places
  readonly blocked: Pick<BlockedTenants, 'has'>
  readonly upstreams: Pick<Upstreams, 'search'>
  readonly reportSection: ReportSection
}

export interface ReadListings {
  readonly deadline: Deadline
  readonly trace?: TraceContext
}

/** The maximum of one upstream call; a wishlist has no more. */
const LISTINGS_MAX = 100

export interface KnownListings {
  readonly byProperty: ReadonlyMap<PropertyId, Listing>
  /** Neither cached nor loadable: these may or may not exist. */
  readonly notLoaded: ReadonlySet<PropertyId>
  readonly status: 'fresh' | 'stale' | 'missing'
  /** Of the oldest entry. */
  readonly ageMs: number
}

/**
 * The listings of hotels by id, without withdrawn hotels and those of suspended tenants. Mostly
 * from this process; the rest is loaded with one call.
 * @throws Problem when one of them is not cached and the search service cannot be called.
 */
export async function readListings(
  deps: ListingDeps,
  propertyIds: readonly PropertyId[],
  call: ReadListings,
): Promise<ReadonlyMap<PropertyId, Listing>> {
  const entries = await readEntries(deps, propertyIds, call)
  const failed = entries.find(({ outcome }) => outcome.status === 'rejected')
  if (failed?.outcome.status === 'rejected') throw failed.outcome.reason
  return summarize(deps, entries).byProperty
}

/**
 * As `readListings`, but a part of them is enough.
 * @throws Problem when none of them is cached and the search service cannot be called.
 */
export async function readKnownListings(
  deps: ListingDeps,
  propertyIds: readonly PropertyId[],
  call: ReadListings,
): Promise<KnownListings> {
  const entries = await readEntries(deps, propertyIds, call)
  const [first] = entries
  const isNoneLoaded = entries.every(({ outcome }) => outcome.status === 'rejected')
  if (isNoneLoaded && first?.outcome.status === 'rejected') throw first.outcome.reason
  return summarize(deps, entries)
}

/** Null for a hotel that is not visible to guests (D18). */
export async function readListing(
  deps: ListingDeps,
  propertyId: PropertyId,
  call: ReadListings,
): Promise<Listing | null> {
  const found = await readListings(deps, [propertyId], call).catch(asBudgetExceeded)
  return found.get(propertyId) ?? null
}

interface Entry {
  readonly propertyId: PropertyId
  readonly outcome: PromiseSettledResult<CachedBytes>
}

async function readEntries(
  deps: ListingDeps,
  propertyIds: readonly PropertyId[],
  call: ReadListings,
): Promise<Entry[]> {
  const wanted = [...new Set(propertyIds)].slice(0, LISTINGS_MAX)
  const warm = new Map(wanted.map((propertyId) => [propertyId, peek(deps, propertyId)]))
  const cold = wanted.filter((propertyId) => warm.get(propertyId) === undefined)
  const load = loadTogether(deps, cold, call.trace)
  const reads = wanted.map(async (id) => warm.get(id) ?? read(deps, id, { ...call, load }))
  const settled = await Promise.allSettled(reads)
  const failed = settled.find((result) => result.status === 'rejected')
  if (failed !== undefined) deps.reportSection('listings', failed.reason)
  return settled.map((outcome, at) => ({ propertyId: wanted[at] as PropertyId, outcome }))
}

function summarize(deps: ListingDeps, entries: readonly Entry[]): KnownListings {
  const byProperty = new Map<PropertyId, Listing>()
  const notLoaded = new Set<PropertyId>()
  let isStale = false
  let ageMs = 0
  for (const { propertyId, outcome } of entries) {
    if (outcome.status === 'rejected') {
      notLoaded.add(propertyId)
      continue
    }
    const { value: entry } = outcome
    isStale ||= entry.state === 'stale'
    ageMs = Math.max(ageMs, entry.ageMs)
    const listing = entry.status === 200 ? parse(entry) : undefined
    if (listing !== undefined && !deps.blocked.has(listing.tenantId)) {
      byProperty.set(propertyId, listing)
    }
  }
  const status = notLoaded.size > 0 ? 'missing' : isStale ? 'stale' : 'fresh'
  return { byProperty, notLoaded, status, ageMs }
}

type Load = (propertyId: PropertyId, deadline: Deadline) => Promise<LoadResult>

function peek(deps: ListingDeps, propertyId: PropertyId): CachedBytes | undefined {
  const { dims, tags } = hotelAddress(propertyId)
  return deps.listings.peek(dims, tags)
}

function read(
  deps: ListingDeps,
  propertyId: PropertyId,
  { deadline, load }: ReadListings & { readonly load: Load },
): Promise<CachedBytes> {
  return deps.listings.get({
    ...hotelAddress(propertyId),
    deadline,
    load: (_signal, loadDeadline) => load(propertyId, loadDeadline),
  })
}

/** However many entries are missing, the search service is called once. */
function loadTogether(
  deps: ListingDeps,
  propertyIds: PropertyId[],
  trace: TraceContext | undefined,
): Load {
  return createBatchLoader({
    cache: deps.listingBatches,
    ids: propertyIds,
    maxPerCall: LISTINGS_MAX,
    tagsOf: (propertyId) => hotelAddress(propertyId).tags,
    load: async (ids, deadline) => {
      const call = trace === undefined ? { deadline } : { deadline, trace }
      const asking = deps.upstreams.search.listings({ body: { propertyIds: [...ids] } }, call)
      const { listings } = await asking.catch(asRejectedRequest)
      cachePlaces(deps.places, listings)
      return new Map(listings.map((listing) => [listing.propertyId, JSON.stringify(listing)]))
    },
  })
}

/** Validated against the contract when it was loaded. */
function parse({ body }: CachedBytes): Listing {
  return JSON.parse(body.toString()) as Listing
}
