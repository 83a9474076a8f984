import type { ClientOf, UpstreamCall } from '@melmastoon/bff/upstreams'
import type { Cache, CachedBytes, DefinedCache } from '@melmastoon/chassis/cache'
import type { TenantId } from '@melmastoon/domain'
import type { PropertyDetail, propertyContract } from '@melmastoon/upstream-contracts/property'

export type HotelsCache = DefinedCache<'tenantId'>

/** A hotel of the tenant, with its own cancellation policy. */
export type SiteHotel = Pick<PropertyDetail, 'propertyId' | 'name'> &
  Pick<PropertyDetail['policies'], 'cancellation'>

export interface HotelsDeps {
  readonly hotels: HotelsCache
  readonly upstreams: { readonly property: ClientOf<typeof propertyContract> }
}

/** A tenant has few hotels; policies of more are read with the hotel. */
const HOTELS_MAX = 10

export function hotelsTag(tenantId: TenantId): string {
  return `hotels:${tenantId}`
}

/** @param callMs the time limit of one call: loading takes two, one after the other. */
export function defineHotels(cache: Cache, callMs: number): HotelsCache {
  return cache.define({
    name: 'site-hotels',
    dimensions: ['tenantId'],
    softTtlMs: 5 * 60_000,
    staleWhileRevalidateMs: 0,
    staleIfErrorMs: 30 * 60_000,
    loadTimeoutMs: 2 * callMs,
  })
}

/** @throws Problem when they are not cached and the property service does not respond. */
export function readHotels(
  { hotels, upstreams }: HotelsDeps,
  tenantId: TenantId,
  { deadline, trace }: UpstreamCall,
): Promise<CachedBytes> {
  const { property } = upstreams
  return hotels.get({
    dims: { tenantId },
    tags: [hotelsTag(tenantId)],
    deadline,
    load: async (_signal, loadDeadline) => {
      const call = { deadline: loadDeadline, trace }
      const { properties } = await property.listByTenant(
        { query: { limit: HOTELS_MAX } },
        { ...call, tenantId },
      )
      const details = await Promise.all(
        properties.map(({ propertyId }) => property.getProperty({ params: { propertyId } }, call)),
      )
      return { body: JSON.stringify(details.map(hotelOf)) }
    },
  })
}

function hotelOf({ propertyId, name, policies }: PropertyDetail): SiteHotel {
  return { propertyId, name, cancellation: policies.cancellation }
}

export function hotelsOf(entry: CachedBytes): SiteHotel[] {
  return JSON.parse(entry.body.toString()) as SiteHotel[]
}
