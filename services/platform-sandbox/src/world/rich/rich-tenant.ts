import type { AmenityCode } from '../amenities.ts'
import type { WorldProperty, WorldRoomType, WorldTenant } from '../world.ts'

export interface RichProperty {
  readonly slug: string
  /** English / Pashto / Dari. */
  readonly name: string
  readonly about: string
  readonly city: string
  /** By its English name. */
  readonly quarter: string
  readonly propertyType: WorldProperty['propertyType']
  readonly starRating: number | null
  readonly guestRating: WorldProperty['guestRating']
  readonly amenities: readonly AmenityCode[]
  readonly cancellation: WorldProperty['cancellation']
  readonly openedOn: string
  readonly nightlyUsd: number
  readonly rooms: Readonly<Partial<Record<WorldRoomType['kind'], number>>>
}

/** One of the detailed tenants. */
export interface RichTenant {
  readonly slug: string
  readonly legalName: string
  readonly name: string
  readonly tagline: string
  readonly customDomains: readonly string[]
  readonly defaultLocale: WorldTenant['defaultLocale']
  readonly paymentMethods: WorldTenant['paymentMethods']
  readonly brand: WorldTenant['brand']
  readonly properties: readonly RichProperty[]
}
