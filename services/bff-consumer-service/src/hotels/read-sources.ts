import type { BlockedTenants } from '@melmastoon/bff/tenants'
import { asAbsent, type UpstreamCall } from '@melmastoon/bff/upstreams'
import type { CachedBytes, DefinedCache, LoadResult } from '@melmastoon/chassis/cache'
import { type ReportSection, settleSections } from '@melmastoon/chassis/upstream'
import { isTimeZone, type PropertyId, type TenantId } from '@melmastoon/domain'
import type { OutputOf } from '@melmastoon/upstream-contracts'
import type { PropertyDetail } from '@melmastoon/upstream-contracts/property'
import type { searchContract } from '@melmastoon/upstream-contracts/search'
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { hotelAddress, unknownHotel } from '../listings/listing-cache.ts'
import { cachePlaces, type Places } from '../places/place-tags.ts'
import type { Upstreams } from '../upstreams/create-upstreams.ts'
import type { HotelCaches } from './hotel-caches.ts'

export type SourceDeps = Pick<HotelCaches, 'properties' | 'hotelSignals'> & {
  readonly blocked: Pick<BlockedTenants, 'has'>
  readonly places: Places
  readonly upstreams: Pick<Upstreams, 'property' | 'search'>
  readonly reportSection: ReportSection
}

/** The sources of a page apart from prices and brands. */
export interface HotelSources {
  readonly property: CachedBytes
  readonly tenantId: TenantId
  readonly timeZone: string
  /** Undefined while the search service does not respond. */
  readonly signals: CachedBytes | undefined
  /** Without hotels of suspended tenants. */
  readonly similar: readonly SimilarHotel[]
  /** Whether there are such hotels: then the page changes when a tenant is reactivated. */
  readonly hidesSimilar: boolean
}

export interface SimilarHotel {
  readonly propertyId: PropertyId
  readonly tenantId: TenantId
}

/** Undefined unless this process has all of them in memory. */
export function peekSources(deps: SourceDeps, propertyId: PropertyId): HotelSources | undefined {
  const { dims, tags } = hotelAddress(propertyId)
  const property = deps.properties.peek(dims, tags)
  const signals = deps.hotelSignals.peek(dims, tags)
  if (property === undefined || signals === undefined) return undefined
  return toSources(deps, property, signals)
}

/**
 * Both in parallel. The page needs the property; the signals of the search service have as much
 * time. Their time is that of the load, not of the request: requests that share a load also share
 * its outcome, so all of them show the same similar hotels and request the same prices and brands.
 * @throws Problem PROPERTY.NOT_FOUND, or why the property service cannot be called.
 */
export async function readSources(
  deps: SourceDeps,
  propertyId: PropertyId,
  call: UpstreamCall,
): Promise<HotelSources> {
  const [property, { signals }] = await Promise.all([
    readProperty(deps, propertyId, call),
    settleSections({ signals: readSignals(deps, propertyId, call) }, deps.reportSection),
  ])
  return toSources(deps, property, signals.value)
}

/** The response of the property service in all languages; status 404 for an unknown hotel. */
export function readProperty(
  { properties, upstreams }: Pick<SourceDeps, 'properties' | 'upstreams'>,
  propertyId: PropertyId,
  call: UpstreamCall,
): Promise<CachedBytes> {
  return readEntry(properties, { ...call, propertyId }, async (loadCall) => {
    const property = await upstreams.property.getProperty({ params: { propertyId } }, loadCall)
    return { body: JSON.stringify(property), facts: factsOfProperty(property) }
  })
}

function readSignals(
  { hotelSignals, places, upstreams }: SourceDeps,
  propertyId: PropertyId,
  call: UpstreamCall,
): Promise<CachedBytes> {
  return readEntry(hotelSignals, { ...call, propertyId }, async (loadCall) => {
    const signals = await upstreams.search.hotel({ params: { propertyId } }, loadCall)
    cachePlaces(places, [signals.listing, ...signals.similar])
    return { body: JSON.stringify(signals), facts: factsOfSignals(signals) }
  })
}

/** Cached for a short time. */
const ABSENT: LoadResult = { status: 404, body: '' }

function readEntry(
  cache: DefinedCache<'propertyId'>,
  { propertyId, deadline, trace }: UpstreamCall & { readonly propertyId: PropertyId },
  load: (call: UpstreamCall) => Promise<LoadResult>,
): Promise<CachedBytes> {
  return cache.get({
    ...hotelAddress(propertyId),
    deadline,
    load: async (_signal, loadDeadline) =>
      (await load({ deadline: loadDeadline, trace }).catch(asAbsent)) ?? ABSENT,
  })
}

/** A hotel that is not visible to guests is not found, whichever service knows it (D18). */
function toSources(
  { blocked }: SourceDeps,
  property: CachedBytes,
  signals: CachedBytes | undefined,
): HotelSources {
  if (property.status === 404 || signals?.status === 404) throw unknownHotel()
  const { tenantId, timeZone } = readPropertyFacts(property)
  if (blocked.has(tenantId)) throw unknownHotel()
  const similar = signals === undefined ? [] : readSimilar(signals)
  const visible = similar.filter((hotel) => !blocked.has(hotel.tenantId))
  const hidesSimilar = visible.length < similar.length
  return { property, tenantId, timeZone, signals, similar: visible, hidesSimilar }
}

export type HotelSignals = OutputOf<(typeof searchContract)['operations']['hotel']>

/** Facts that are needed without parsing the body. */
const PropertyFacts = Type.Object({ tenantId: Type.String(), timeZone: Type.String() })
/** Each hotel with its tenant, `ppt_… tnt_…`, separated by commas. */
const SignalFacts = Type.Object({ similar: Type.String() })

const isPropertyFacts = Compile(PropertyFacts)
const isSignalFacts = Compile(SignalFacts)

/** Dates are in UTC where the time zone of the hotel is invalid. */
function factsOfProperty({ tenantId, timeZone }: PropertyDetail) {
  return { tenantId, timeZone: isTimeZone(timeZone) ? timeZone : 'UTC' }
}

function factsOfSignals({ similar }: HotelSignals): Static<typeof SignalFacts> {
  const pairs = similar.map(({ propertyId, tenantId }) => `${propertyId} ${tenantId}`)
  return { similar: pairs.join(',') }
}

/** Entries with unreadable facts are parsed. */
function readPropertyFacts(entry: CachedBytes) {
  const { facts } = entry
  const { tenantId, timeZone } = isPropertyFacts.Check(facts)
    ? facts
    : factsOfProperty(propertyOf(entry))
  return { tenantId: tenantId as TenantId, timeZone }
}

function readSimilar(entry: CachedBytes): SimilarHotel[] {
  const { facts } = entry
  const { similar } = isSignalFacts.Check(facts) ? facts : factsOfSignals(signalsOf(entry))
  if (similar === '') return []
  return similar.split(',').map((pair) => {
    const [propertyId, tenantId] = pair.split(' ')
    return { propertyId: propertyId as PropertyId, tenantId: tenantId as TenantId }
  })
}

/** Validated against the contract when it was loaded. */
export function propertyOf({ body }: CachedBytes): PropertyDetail {
  return JSON.parse(body.toString()) as PropertyDetail
}

export function signalsOf({ body }: CachedBytes): HotelSignals {
  return JSON.parse(body.toString()) as HotelSignals
}
