import type {
  CurrencyCode,
  IsoDate,
  Locale,
  PropertyId,
  ReservationId,
  RoomId,
  RoomTypeId,
  TenantId,
} from '@melmastoon/domain'

/** English is the default; Pashto and Dari are always present. */
export interface Names {
  readonly default: string
  readonly localized: Readonly<Record<Exclude<Locale, 'en'>, string>>
}

/**
 * The seed data of all modules. Determined by the seed and the anchor date: the same two give the
 * same bytes.
 */
export interface World {
  readonly seed: string
  /** "Today" at the hotels; stays are generated around it. */
  readonly anchorDate: IsoDate
  /** The days before and after it with stays at the detailed hotels; default `STAY_DAYS_MIN`. */
  readonly stayDays?: number
  readonly tenants: readonly WorldTenant[]
  readonly properties: readonly WorldProperty[]
  readonly stays: readonly WorldStay[]
}

export interface WorldTenant {
  readonly tenantId: TenantId
  readonly slug: string
  readonly legalName: string
  readonly displayName: Names
  readonly tagline: Names
  readonly country: string
  /** The cloud region that serves it, `asia-south1` or `europe-west4`. */
  readonly region: string
  readonly customDomains: readonly string[]
  readonly timeZone: string
  readonly locales: readonly Locale[]
  readonly defaultLocale: Locale
  readonly currencies: readonly CurrencyCode[]
  readonly primaryCurrency: CurrencyCode
  readonly paymentMethods: readonly ('cash_on_arrival' | 'card' | 'mobile_money')[]
  /** One of the detailed tenants, with staff and named guests in each room. */
  readonly isRich: boolean
  /** The input of its theme. */
  readonly brand: {
    readonly hue: number
    readonly layoutPreset: 'hero-with-search' | 'gallery-first' | 'quiet'
    readonly radiusPx: number
  }
}

export interface WorldProperty {
  readonly propertyId: PropertyId
  readonly tenantId: TenantId
  readonly slug: string
  readonly name: Names
  readonly description: Names
  readonly addressLine: string
  readonly localizedAddressLine: Names
  readonly nativeAddressLine: string
  /** Lower-case Latin key, `mazar-i-sharif`; its names are in `CITIES`. */
  readonly city: string
  readonly region: string
  /** The English name; all names are in `CITIES`. */
  readonly neighbourhood: string
  readonly country: string
  readonly lat: number
  readonly lng: number
  readonly timeZone: string
  readonly propertyType: 'hotel' | 'guesthouse' | 'hostel' | 'apartment'
  readonly starRating: number | null
  readonly guestRating: { readonly value: number; readonly count: number } | null
  readonly amenities: readonly string[]
  readonly shariaCompliant: boolean
  readonly openedOn: IsoDate
  readonly checkInTime: string
  readonly checkOutTime: string
  readonly cancellation: 'free' | 'partial' | 'none'
  readonly photoCount: number
  readonly popularity: {
    readonly score: number
    readonly viewedLast1h: number
  }
  readonly currency: CurrencyCode
  readonly roomTypes: readonly WorldRoomType[]
}

export interface WorldRoomType {
  readonly roomTypeId: RoomTypeId
  readonly kind: 'king' | 'twin' | 'suite' | 'family' | 'dorm' | 'apartment'
  readonly name: Names
  readonly adultsMax: number
  readonly childrenMax: number
  readonly sizeSqm: number
  readonly baseNightlyMicro: bigint
  readonly rooms: readonly {
    readonly roomId: RoomId
    readonly number: string
    readonly floor: number
  }[]
}

export interface WorldStay {
  readonly reservationId: ReservationId
  readonly tenantId: TenantId
  readonly propertyId: PropertyId
  readonly roomTypeId: RoomTypeId
  /** Assigned for past guests, guests in house and arrivals of today, at the detailed hotels. */
  readonly roomId: RoomId | null
  readonly rooms: number
  readonly checkIn: IsoDate
  readonly checkOut: IsoDate
  /** In UTC; before the anchor date of the world. */
  readonly bookedAt: string
  readonly status: 'confirmed' | 'in_house' | 'checked_out' | 'cancelled' | 'no_show'
  readonly guestName: string
  readonly guestLocale: Locale
  /** `HH:MM`, where the guest has said when they arrive. */
  readonly arrivalTime: string | null
  readonly specialRequests: string | null
  readonly adults: number
  readonly children: number
  readonly totalMicro: bigint
  readonly currency: CurrencyCode
}
