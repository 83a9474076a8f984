import type { IsoDateTime, RoomTypeId, TenantId } from '@melmastoon/domain'
import {
  type OffersResponse,
  type OfferTerms,
  type StayOffer,
  UNBOOKABLE_REASONS,
  type UnbookableReason,
} from '@melmastoon/upstream-contracts/offers'
import { type CapturedLine, captureLines } from '../rates/price-lines.ts'
import { type CapturedAmounts, captureAmounts, type InvalidRate } from '../rates/rate-snapshot.ts'

/** An offer in all languages, with exact amounts. */
export interface CapturedOffer extends OfferTerms {
  readonly minNights: number
  readonly maxNights: number
  readonly advanceDaysMin: number
  readonly reason?: UnbookableReason
  /** Absent unless the offer can be booked. */
  readonly price?: CapturedAmounts & {
    readonly lines: readonly CapturedLine[]
    readonly roomsLeft: number
    readonly digest: string
  }
}

export interface CapturedRoom {
  readonly roomTypeId: RoomTypeId
  readonly roomsLeft: number
  readonly offers: readonly CapturedOffer[]
}

/** The offers of one hotel for one stay in all languages: caches do not depend on the language. */
export interface CapturedOffers {
  readonly tenantId: TenantId
  readonly rooms: readonly CapturedRoom[]
  readonly paymentMethods: OffersResponse['paymentMethods']
  readonly currencyDisplayPolicy: OffersResponse['currencyDisplayPolicy']
  readonly fxSnapshotId?: OffersResponse['fxSnapshotId']
  readonly fxStale: boolean
  readonly capturedAt: IsoDateTime
  readonly ttlExpiresAt: IsoDateTime
}

/** Offers whose price is invalid are omitted, and counted by reason (D7). */
export function captureRooms(
  { rooms }: OffersResponse,
  onInvalid: (reason: InvalidRate) => void,
): CapturedRoom[] {
  return rooms.map(({ roomTypeId, roomsLeft, offers }) => {
    const captured: CapturedOffer[] = []
    for (const offer of offers) {
      const one = captureOffer(offer)
      if (typeof one === 'string') onInvalid(one)
      else captured.push(one)
    }
    return { roomTypeId, roomsLeft, offers: captured }
  })
}

/** An offer with neither a price nor a reason cannot be shown. */
function captureOffer({ price, reason, ...terms }: StayOffer): CapturedOffer | InvalidRate {
  if (price === undefined) return reason === undefined ? 'incomplete' : { ...terms, reason }
  const amounts = captureAmounts(price)
  if (typeof amounts === 'string') return amounts
  const lines = captureLines(price.lines, amounts)
  if (lines === null) return 'amount'
  const { roomsLeft, digest } = price
  return { ...terms, price: { ...amounts, lines, roomsLeft, digest } }
}

/** Undefined where an offer can be booked; otherwise the reason of the offer closest to it. */
export function reasonOf(rooms: readonly CapturedRoom[]): UnbookableReason | undefined {
  const offers = rooms.flatMap((room) => room.offers)
  if (offers.some(({ price }) => price !== undefined)) return undefined
  const ranks = offers.map(({ reason = 'no_rate' }) => rankOf(reason))
  return UNBOOKABLE_REASONS[Math.max(-1, ...ranks)] ?? 'no_rate'
}

/** The most rooms of a type that has some, but not enough. */
export function roomsShortOf(rooms: readonly CapturedRoom[]): number {
  const short = rooms.filter(({ offers }) =>
    offers.some(({ reason }) => reason === 'not_enough_rooms'),
  )
  return Math.max(0, ...short.map(({ roomsLeft }) => roomsLeft))
}

/** Later reasons are those of stays that are closer to being bookable. */
function rankOf(reason: UnbookableReason): number {
  return reason === 'no_rate' ? -1 : UNBOOKABLE_REASONS.indexOf(reason)
}

export interface BookableOffer extends OfferTerms {
  readonly price: NonNullable<CapturedOffer['price']>
}

function isBookable(offer: CapturedOffer): offer is CapturedOffer & BookableOffer {
  return offer.price !== undefined
}

/** The cheapest bookable offer; all offers of a hotel have one currency. */
export function cheapestOf(offers: readonly CapturedOffer[]): BookableOffer | undefined {
  return offers.filter(isBookable).reduce<BookableOffer | undefined>(cheaper, undefined)
}

function cheaper(best: BookableOffer | undefined, offer: BookableOffer): BookableOffer {
  if (best === undefined) return offer
  return offer.price.totalForStayMinor < best.price.totalForStayMinor ? offer : best
}
