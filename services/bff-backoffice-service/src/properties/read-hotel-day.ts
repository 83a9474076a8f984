import { asAbsent, type ClientOf, type UpstreamCall } from '@melmastoon/bff/upstreams'
import type { Cache, DefinedCache } from '@melmastoon/chassis/cache'
import type { Clock } from '@melmastoon/chassis/clock'
import { type IsoDate, type PropertyId, problem, type TenantId, todayIn } from '@melmastoon/domain'
import type { propertyContract } from '@melmastoon/upstream-contracts/property'

export type HotelTimesCache = DefinedCache<'tenantId' | 'propertyId'>

export interface HotelTimes {
  readonly timeZone: string
  readonly checkInTime: string
  readonly checkOutTime: string
}

export interface PropertyKey {
  readonly tenantId: TenantId
  readonly propertyId: PropertyId
}

export interface HotelDayDeps {
  readonly hotelTimes: HotelTimesCache
  readonly clock: Clock
  readonly upstreams: { readonly property: ClientOf<typeof propertyContract> }
}

export function defineHotelTimes(cache: Cache, loadTimeoutMs: number): HotelTimesCache {
  return cache.define({
    name: 'hotel-times',
    dimensions: ['tenantId', 'propertyId'],
    softTtlMs: 5 * 60_000,
    staleWhileRevalidateMs: 60 * 60_000,
    /** A time zone hardly ever changes, and without it no board can be shown. */
    staleIfErrorMs: 24 * 3_600_000,
    negativeTtlMs: 10_000,
    loadTimeoutMs,
  })
}

export interface HotelDay extends HotelTimes {
  /** The date at the hotel: its business date. */
  readonly today: IsoDate
}

/** @throws Problem RESOURCE_NOT_FOUND for a property of another tenant (D18). */
export async function readHotelDay(
  { hotelTimes, clock, upstreams }: HotelDayDeps,
  { tenantId, propertyId }: PropertyKey,
  { deadline, trace }: UpstreamCall,
): Promise<HotelDay> {
  const entry = await hotelTimes.get({
    dims: { tenantId, propertyId },
    tags: [`property:${tenantId}:${propertyId}`],
    deadline,
    load: async (_signal, loadDeadline) => {
      const found = await upstreams.property
        .getProperty({ params: { propertyId } }, { deadline: loadDeadline, trace })
        .catch(asAbsent)
      if (found === null || found.tenantId !== tenantId) return { body: 'null', status: 404 }
      const { checkInTime, checkOutTime } = found.policies
      return { body: JSON.stringify({ timeZone: found.timeZone, checkInTime, checkOutTime }) }
    },
  })
  if (entry.status !== 200) throw problem('MELMASTOON.GENERAL.RESOURCE_NOT_FOUND')
  const times = JSON.parse(entry.body.toString()) as HotelTimes
  return { ...times, today: todayIn(times.timeZone, clock.now()) }
}
