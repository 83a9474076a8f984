import type { Occupancy } from '@melmastoon/bff/stays'
import type { Cache, DefinedCache } from '@melmastoon/chassis/cache'
import {
  type CurrencyCode,
  daysBetween,
  type IsoDate,
  type Locale,
  type StayDates,
} from '@melmastoon/domain'
import { type PropertyKey, propertyTags } from '../properties/read-property.ts'

export interface AvailabilityRequest extends PropertyKey {
  readonly stay: StayDates
  readonly occupancy: Occupancy
  readonly currency: CurrencyCode
  readonly locale: Locale
}

type RateDimension = 'tenantId' | 'propertyId' | 'stay' | 'occupancy' | 'currency'

export interface AvailabilityCaches {
  /** Responses as they are sent. */
  readonly availability: DefinedCache<RateDimension | 'locale'>
  /** Rates per room type, in all languages. */
  readonly cheapest: DefinedCache<RateDimension>
  readonly roomsLeft: DefinedCache<'tenantId' | 'propertyId' | 'stay'>
}

/** The lifetimes of the key schema; during a flash sale they are longer (T18). */
export const AVAILABILITY_MS = { normal: 30_000, flashSale: 60_000 } as const
export const CHEAPEST_MS = { normal: 60_000, flashSale: 300_000 } as const
/** Rooms left of this age are fresh; while inventory does not respond, of twice the age (F-3). */
const ROOMS_LEFT_MS = 30_000

export interface AvailabilityLimits {
  readonly pricing: number
  readonly inventory: number
  /** Of all of them together. */
  readonly page: number
}

export function defineAvailabilityCaches(
  cache: Cache,
  limits: AvailabilityLimits,
): AvailabilityCaches {
  const rate = ['tenantId', 'propertyId', 'stay', 'occupancy', 'currency'] as const
  // Jitter would make prices older than a minute (D6), and one hotel causes no stampede.
  const exact = { staleWhileRevalidateMs: 0, staleIfErrorMs: 0, jitter: 0 }
  return {
    availability: cache.define({
      name: 'availability',
      dimensions: [...rate, 'locale'],
      softTtlMs: AVAILABILITY_MS.flashSale,
      ...exact,
      loadTimeoutMs: limits.page,
    }),
    cheapest: cache.define({
      name: 'cheapest',
      dimensions: rate,
      softTtlMs: CHEAPEST_MS.flashSale,
      ...exact,
      loadTimeoutMs: limits.pricing,
    }),
    roomsLeft: cache.define({
      name: 'rooms-left',
      dimensions: ['tenantId', 'propertyId', 'stay'],
      softTtlMs: ROOMS_LEFT_MS,
      ...exact,
      staleIfErrorMs: ROOMS_LEFT_MS,
      loadTimeoutMs: limits.inventory,
    }),
  }
}

export function rateTags({ tenantId, propertyId }: PropertyKey): readonly string[] {
  return [`rates:${tenantId}:${propertyId}`]
}

/** A Thursday: weeks are counted from it. */
const EPOCH = '1970-01-01' as IsoDate
const WEEK_DAYS = 7

/** One tag per week of the period, so that a sale invalidates stays around its dates only. */
export function nightTags(
  { tenantId, propertyId }: PropertyKey,
  { checkIn, checkOut }: StayDates,
): readonly string[] {
  const first = Math.floor(daysBetween(EPOCH, checkIn) / WEEK_DAYS)
  const last = Math.floor((daysBetween(EPOCH, checkOut) - 1) / WEEK_DAYS)
  return Array.from(
    { length: last - first + 1 },
    (_, at) => `nights:${tenantId}:${propertyId}:${first + at}`,
  )
}

/** What a response contains: texts, prices and rooms. */
export function availabilityTags(key: PropertyKey, stay: StayDates): readonly string[] {
  return [...propertyTags(key), ...rateTags(key), ...nightTags(key, stay)]
}

export function stayDimension({ checkIn, checkOut }: StayDates): string {
  return `${checkIn} ${checkOut}`
}
