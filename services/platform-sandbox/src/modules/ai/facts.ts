import type {
  CurrencyCode,
  IsoDate,
  PropertyId,
  ReservationId,
  RoomId,
  RoomTypeId,
} from '@melmastoon/domain'

/** A room type of a hotel as the rules see it; the stored form as well. */
export interface SourceRoomType {
  readonly roomTypeId: RoomTypeId
  /** Per night, in millionths. */
  readonly nightlyMicro: string
  readonly currency: CurrencyCode
  readonly rooms: readonly { readonly roomId: RoomId; readonly floor: number }[]
}

export interface NightFacts {
  readonly roomTypeId: RoomTypeId
  readonly night: IsoDate
  readonly capacity: number
  readonly sold: number
}

/** All that the rules know of a hotel on one day: the input of a suggestion. */
export interface HotelFacts {
  readonly propertyId: PropertyId
  readonly timeZone: string
  readonly today: IsoDate
  readonly roomTypes: readonly SourceRoomType[]
  /** From today on, in the order of the nights. */
  readonly nights: readonly NightFacts[]
  readonly arrivals: readonly ReservationId[]
  /** Cancelled stays that would have begun in the nights above. */
  readonly cancellations: number
}

/** How many days ahead the rules look. */
export const FACT_NIGHTS = 14

export function occupancyOf(nights: readonly NightFacts[]): number {
  const capacity = nights.reduce((sum, night) => sum + night.capacity, 0)
  const sold = nights.reduce((sum, night) => sum + night.sold, 0)
  return capacity === 0 ? 0 : sold / capacity
}
