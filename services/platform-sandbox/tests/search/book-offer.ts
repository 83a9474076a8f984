import { type CurrencyCode, newId, type StayDates } from '@melmastoon/domain'
import type { OfferPrice, PriceLine, StayOffer } from '@melmastoon/upstream-contracts/offers'
import { pricingContract, type Quote } from '@melmastoon/upstream-contracts/pricing'
import { reservationContract } from '@melmastoon/upstream-contracts/reservation'
import { expect } from 'vitest'
import type { WorldProperty } from '../../src/world/world.ts'
import { clientFor, rejectionOf } from '../start-sandbox.ts'

type Hotel = Pick<WorldProperty, 'tenantId' | 'propertyId'>
/** Previews have no lines. */
type BookedOffer = Omit<StayOffer, 'minNights' | 'maxNights' | 'advanceDaysMin' | 'price'> & {
  readonly price?: OfferPrice & { readonly lines?: readonly PriceLine[] }
}

export interface WantedStay {
  readonly stay: StayDates
  readonly occupancy: {
    readonly adults: number
    readonly children: number
    readonly rooms: number
    readonly childrenAges?: number[]
  }
  readonly currency: CurrencyCode
}

export interface Booker {
  /** A quote and a hold as the offer was shown; the hold is cancelled. */
  expectBookable(hotel: Hotel, wanted: WantedStay, offer: BookedOffer): Promise<void>
  /** Either the quote or the hold is rejected. */
  expectRejected(hotel: Hotel, wanted: WantedStay, offer: BookedOffer): Promise<void>
}

export function bookerAt(url: string): Booker {
  const pricing = clientFor(pricingContract, url)
  const reservations = clientFor(reservationContract, url)
  const callOf = ({ tenantId }: Hotel) => ({ tenantId, idempotencyKey: newId('req') })
  const quoteFor = (hotel: Hotel, wanted: WantedStay, offer: BookedOffer): Promise<Quote> => {
    const { stay, occupancy, currency: displayCurrency } = wanted
    const rooms = [{ roomTypeId: offer.roomTypeId, quantity: occupancy.rooms }]
    const { ratePlanCode } = offer
    const { propertyId } = hotel
    const body = { propertyId, rooms, ratePlanCode, stay, occupancy, displayCurrency }
    return pricing.createQuote({ body }, callOf(hotel))
  }
  const holdFor = (hotel: Hotel, { quoteId, digest: expectedDigest }: Quote) => {
    const guest = { draftId: newId('bdr'), guestLocale: 'en' as const }
    return reservations.hold({ body: { quoteId, expectedDigest, ...guest } }, callOf(hotel))
  }
  return {
    async expectBookable(hotel, wanted, offer) {
      const quote = await quoteFor(hotel, wanted, offer)
      expect(quote.digest).toBe(offer.price?.digest)
      expect(quote.displayTotal ?? quote.total).toEqual(offer.price?.total)
      if (quote.displayTotal === undefined && offer.price?.lines !== undefined) {
        expect(quote.lines.map(({ roomTypeId: _type, ...line }) => line)).toEqual(offer.price.lines)
      }
      expectTerms(offer.cancellation, quote.cancellation)
      expect([quote.ratePlanId, quote.board]).toEqual([offer.ratePlanId, offer.board])
      const { reservationId } = await holdFor(hotel, quote)
      const body = { reasonCode: 'guest_request' }
      await reservations.cancel({ params: { reservationId }, body }, callOf(hotel))
    },
    async expectRejected(hotel, wanted, offer) {
      const book = async () => await holdFor(hotel, await quoteFor(hotel, wanted, offer))
      const isSoldOut = offer.reason === 'sold_out' || offer.reason === 'not_enough_rooms'
      expect(await rejectionOf(book())).toMatch(
        isSoldOut
          ? /RESERVATION\.OVERBOOKING_BLOCKED$|PRICING\.RESTRICTED$/
          : /PRICING\.(RESTRICTED|NO_RATE|STAY_INVALID)$/,
      )
    },
  }
}

/** Those of the plan, except that the kind is what a cancellation costs now. */
function expectTerms(shown: BookedOffer['cancellation'], plan: Quote['cancellation']): void {
  const { freeUntilHours, penaltyBasisPoints } = plan
  const kindAfter = penaltyBasisPoints < 10_000 ? 'partial' : 'none'
  const isFree = plan.kind !== 'none' && shown.freeUntil !== undefined
  const kind = isFree ? 'free' : kindAfter
  expect({ ...shown, freeUntil: undefined }).toEqual({ kind, freeUntilHours, penaltyBasisPoints })
}
