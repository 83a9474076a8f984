import { asBrokenContract } from '@melmastoon/bff/upstreams'
import { type CachedBytes, createBatchLoader, type LoadResult } from '@melmastoon/chassis/cache'
import type { Deadline } from '@melmastoon/chassis/clock'
import type { TraceContext } from '@melmastoon/chassis/telemetry'
import type { PropertyId } from '@melmastoon/domain'
import type { Listing } from '@melmastoon/upstream-contracts/search'
import type { ConsumerContext } from '../context.ts'
import { rememberPlaces } from '../places/remember-places.ts'
import { hotelAddress } from './define-listings.ts'

export interface ReadListings {
  readonly deadline: Deadline
  readonly trace?: TraceContext
}

/** As many as one call takes: a wishlist has no more. */
const LISTINGS_MAX = 100

export interface KnownListings {
  readonly byProperty: ReadonlyMap<PropertyId, Listing>
  /** Nobody could tell whether these still exist. */
  readonly untold: ReadonlySet<PropertyId>
  readonly status: 'fresh' | 'stale' | 'missing'
  /** Of the oldest one. */
  readonly ageMs: number
}

/**
 * What is shown of hotels known by id: those that are gone, or whose tenant is suspended, are not
 * among them. Mostly from this process; the rest comes in one call.
 * @throws Problem when the search service cannot be asked for one of them and nothing is kept.
 */
export async function readListings(
  ctx: ConsumerContext,
  propertyIds: readonly PropertyId[],
  call: ReadListings,
): Promise<ReadonlyMap<PropertyId, Listing>> {
  const entries = await readEntries(ctx, propertyIds, call)
  const failed = entries.find(({ outcome }) => outcome.status === 'rejected')
  if (failed?.outcome.status === 'rejected') throw failed.outcome.reason
  return summarize(ctx, entries).byProperty
}

/**
 * As `readListings`, content with a part of them.
 * @throws Problem when the search service cannot be asked and not one of them is kept.
 */
export async function readKnownListings(
  ctx: ConsumerContext,
  propertyIds: readonly PropertyId[],
  call: ReadListings,
): Promise<KnownListings> {
  const entries = await readEntries(ctx, propertyIds, call)
  const [first] = entries
  const isDark = entries.every(({ outcome }) => outcome.status === 'rejected')
  if (isDark && first?.outcome.status === 'rejected') throw first.outcome.reason
  return summarize(ctx, entries)
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

interface Entry {
  readonly propertyId: PropertyId
  readonly outcome: PromiseSettledResult<CachedBytes>
}

async function readEntries(
  ctx: ConsumerContext,
  propertyIds: readonly PropertyId[],
  call: ReadListings,
): Promise<Entry[]> {
  const wanted = [...new Set(propertyIds)].slice(0, LISTINGS_MAX)
  const warm = new Map(wanted.map((propertyId) => [propertyId, peek(ctx, propertyId)]))
  const cold = wanted.filter((propertyId) => warm.get(propertyId) === undefined)
  const load = loadTogether(ctx, cold, call.trace)
  const reads = wanted.map(async (id) => warm.get(id) ?? read(ctx, id, { ...call, load }))
  const settled = await Promise.allSettled(reads)
  const failed = settled.find((result) => result.status === 'rejected')
  if (failed !== undefined) ctx.reportSection('listings', failed.reason)
  return settled.map((outcome, at) => ({ propertyId: wanted[at] as PropertyId, outcome }))
}

function summarize(ctx: ConsumerContext, entries: readonly Entry[]): KnownListings {
  const byProperty = new Map<PropertyId, Listing>()
  const untold = new Set<PropertyId>()
  let isStale = false
  let ageMs = 0
  for (const { propertyId, outcome } of entries) {
    if (outcome.status === 'rejected') {
      untold.add(propertyId)
      continue
    }
    const { value: entry } = outcome
    isStale ||= entry.state === 'stale'
    ageMs = Math.max(ageMs, entry.ageMs)
    const listing = entry.status === 200 ? parse(entry) : undefined
    if (listing !== undefined && !ctx.blocked.has(listing.tenantId)) {
      byProperty.set(propertyId, listing)
    }
  }
  const status = untold.size > 0 ? 'missing' : isStale ? 'stale' : 'fresh'
  return { byProperty, untold, status, ageMs }
}

type Load = (propertyId: PropertyId, deadline: Deadline) => Promise<LoadResult>

function peek(ctx: ConsumerContext, propertyId: PropertyId): CachedBytes | undefined {
  const { dims, tags } = hotelAddress(propertyId)
  return ctx.listings.peek(dims, tags)
}

function read(
  ctx: ConsumerContext,
  propertyId: PropertyId,
  { deadline, load }: ReadListings & { readonly load: Load },
): Promise<CachedBytes> {
  return ctx.listings.get({
    ...hotelAddress(propertyId),
    deadline,
    load: (_signal, loadDeadline) => load(propertyId, loadDeadline),
  })
}

/** However many entries are missing, the search service is called once. */
function loadTogether(
  ctx: ConsumerContext,
  propertyIds: PropertyId[],
  trace: TraceContext | undefined,
): Load {
  return createBatchLoader({
    cache: ctx.listingBatches,
    ids: propertyIds,
    maxPerCall: LISTINGS_MAX,
    tagsOf: (propertyId) => hotelAddress(propertyId).tags,
    load: async (ids, deadline) => {
      const call = trace === undefined ? { deadline } : { deadline, trace }
      const asking = ctx.upstreams.search.listings({ body: { propertyIds: [...ids] } }, call)
      const { listings } = await asking.catch(asBrokenContract)
      rememberPlaces(ctx.places, listings)
      return new Map(listings.map((listing) => [listing.propertyId, JSON.stringify(listing)]))
    },
  })
}

/** Checked against the contract when it was fetched. */
function parse({ body }: CachedBytes): Listing {
  return JSON.parse(body.toString()) as Listing
}
