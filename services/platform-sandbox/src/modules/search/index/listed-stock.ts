import type { RoomTypeId } from '@melmastoon/domain'
import type { HotelStock } from '../../pricing/module.ts'
import type { ListingDocument } from '../listing-document.ts'
import type { RoomNights } from './room-nights.ts'

/** What a listed hotel sells, at one state of the index. */
export class ListedStock implements HotelStock {
  readonly #document: ListingDocument
  readonly #nights: RoomNights | undefined

  constructor(document: ListingDocument, nights: RoomNights | undefined) {
    this.#document = document
    this.#nights = nights
  }

  get timeZone(): string {
    return this.#document.timeZone
  }

  get roomTypes() {
    return this.#document.roomTypes
  }

  get paymentMethods(): HotelStock['paymentMethods'] {
    return this.#document.paymentMethods
  }

  roomsLeft(roomTypeId: RoomTypeId, arrival: number, nights: number): number {
    return this.#nights?.fewest(roomTypeId, arrival, nights) ?? 0
  }
}
