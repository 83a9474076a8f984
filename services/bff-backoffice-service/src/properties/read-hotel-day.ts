import { asAbsent, type ClientOf, type UpstreamCall } from '@melmastoon/bff/upstreams'
import {
  type Cache,
  type CachedBytes,
  type DefinedCache,
  memoizeDecoded,
} from '@melmastoon/chassis/cache'
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

/** Synchronous: undefined unless this process knows it, and it is a property of the tenant. */
export function peekHotelDay(
  { hotelTimes, clock }: Pick<HotelDayDeps, 'hotelTimes' | 'clock'>,
  { tenantId, propertyId }: PropertyKey,
): HotelDay | undefined {
  const entry = hotelTimes.peek({ tenantId, propertyId }, timesTags({ tenantId, propertyId }))
  return entry?.status === 200 ? dayOf(entry, clock) : undefined
}

function timesTags({ tenantId, propertyId }: PropertyKey): readonly string[] {
  return [`property:${tenantId}:${propertyId}`]
}

/** @throws Problem RESOURCE_NOT_FOUND for a property of another tenant (D18). */
export async function readHotelDay(
  { hotelTimes, clock, upstreams }: HotelDayDeps,
  { tenantId, propertyId }: PropertyKey,
  { deadline, trace }: UpstreamCall,
): Promise<HotelDay> {
  const entry = await hotelTimes.get({
    dims: { tenantId, propertyId },
    tags: timesTags({ tenantId, propertyId }),
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
  return dayOf(entry, clock)
}

/** An entry is parsed once, however often this process reads it. */
const timesOf = memoizeDecoded((body) => JSON.parse(body.toString()) as HotelTimes)

function dayOf({ body }: CachedBytes, clock: Clock): HotelDay {
  const times = timesOf(body)
  return { ...times, today: todayIn(times.timeZone, clock.now()) }
}
