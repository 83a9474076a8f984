import type { RoomTypeId } from '@melmastoon/domain'

export interface RoomTypeNights {
  readonly roomTypeId: RoomTypeId
  /** The rooms of a night after the last known one. */
  readonly roomsTotal: number
  /** One number per night. */
  readonly roomsLeft: readonly number[]
}

const BYTE_MAX = 255

/**
 * The rooms left per room type and night of one hotel. Immutable and as long as needed: most hotels
 * have no booking beyond the next months, and one byte per night is enough for nearly all of them.
 */
export class RoomNights {
  readonly #firstDay: number
  readonly #width: number
  readonly #roomTypeIds: readonly RoomTypeId[]
  readonly #totals: readonly number[]
  readonly #roomsLeft: Uint8Array | Uint16Array

  constructor(firstDay: number, types: readonly RoomTypeNights[]) {
    this.#firstDay = firstDay
    this.#roomTypeIds = types.map(({ roomTypeId }) => roomTypeId)
    this.#totals = types.map(({ roomsTotal }) => roomsTotal)
    this.#width = Math.max(0, ...types.map(({ roomsLeft }) => roomsLeft.length))
    const nights = types.flatMap(({ roomsTotal, roomsLeft }) =>
      Array.from({ length: this.#width }, (_, night) =>
        Math.max(0, roomsLeft[night] ?? roomsTotal),
      ),
    )
    const isSmall = nights.every((rooms) => rooms <= BYTE_MAX)
    this.#roomsLeft = isSmall ? Uint8Array.from(nights) : Uint16Array.from(nights)
  }

  /** The fewest rooms available in any of the nights; 0 for an unknown room type. */
  fewest(roomTypeId: RoomTypeId, arrival: number, nights: number): number {
    const type = this.#roomTypeIds.indexOf(roomTypeId)
    if (type === -1) return 0
    const from = arrival - this.#firstDay
    const end = from + nights
    let fewest = end > this.#width ? (this.#totals[type] ?? 0) : Number.MAX_SAFE_INTEGER
    const start = type * this.#width
    for (let night = Math.max(0, from); night < Math.min(end, this.#width); night += 1) {
      fewest = Math.min(fewest, this.#roomsLeft[start + night] ?? 0)
    }
    return from < 0 ? 0 : fewest
  }
}
