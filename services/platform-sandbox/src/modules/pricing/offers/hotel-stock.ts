import type { LocalizedText, PropertyId, RoomTypeId } from '@melmastoon/domain'
import type { PaymentMethod } from '@melmastoon/upstream-contracts/offers'

export interface SoldRoomType {
  readonly roomTypeId: RoomTypeId
  readonly name: LocalizedText
}

/** What a published hotel sells, besides its rates. */
export interface HotelStock {
  readonly timeZone: string
  /** In the order of the hotel, like the payment methods. */
  readonly roomTypes: readonly SoldRoomType[]
  readonly paymentMethods: readonly PaymentMethod[]
  /** The fewest rooms available in any of the nights; 0 for an unknown room type. */
  roomsLeft(roomTypeId: RoomTypeId, arrival: number, nights: number): number
}

export interface StockSource {
  /** Null: the hotel is unknown, not published, or its tenant is suspended. */
  findStock(propertyId: PropertyId): HotelStock | null
}
