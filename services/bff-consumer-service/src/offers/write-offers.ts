import { isDegraded } from '@melmastoon/bff/sections'
import type { Locale } from '@melmastoon/domain'
import type { PropertyDetail } from '@melmastoon/upstream-contracts/property'
import { policiesIn } from '../hotels/hotel-policies.ts'
import { handoffHint } from '../hotels/write-hotel.ts'
import { roomOf } from '../hotels/write-property.ts'
import { availabilityOf, chargesIn, termsIn } from '../rates/offer-terms.ts'
import { linesIn } from '../rates/price-lines.ts'
import type { RateCaptureVM } from '../rates/rate-snapshot.ts'
import {
  type CapturedOffer,
  type CapturedOffers,
  type CapturedRoom,
  reasonOf,
  roomsShortOf,
} from './capture-offers.ts'
import type { HotelOffersVM, RoomOffersVM, StayOfferVM } from './hotel-offers.ts'
import type { OffersRequest } from './read-offers.ts'

export interface OfferParts {
  readonly detail: PropertyDetail
  readonly request: OffersRequest
  /** Undefined while the search service does not respond. */
  readonly offers: CapturedOffers | undefined
  readonly sections: HotelOffersVM['sections']
  readonly locale: Locale
}

/** In the order of the property. A room type that only the projection knows is not shown. */
export function offersDocument(parts: OfferParts): HotelOffersVM {
  const { detail, request, offers, sections, locale } = parts
  const { propertyId, tenantId, timeZone, policies, roomTypes } = detail
  return {
    sections,
    degraded: isDegraded(sections),
    propertyId,
    tenantId,
    timeZone,
    stay: request.stay,
    occupancy: request.occupancy,
    ...(offers && {
      availability: availabilityOf(reasonOf(offers.rooms), roomsShortOf(offers.rooms)),
      rates: captureOf(offers, sections.prices.status === 'stale'),
    }),
    rooms: roomTypes.map((room) => roomOffers(room, parts)),
    ...(offers && { paymentMethods: [...offers.paymentMethods] }),
    policies: policiesIn(policies, locale),
    handoffHint: handoffHint(detail),
  }
}

function captureOf(offers: CapturedOffers, isStale: boolean): RateCaptureVM {
  const { currencyDisplayPolicy, fxSnapshotId, fxStale, capturedAt, ttlExpiresAt } = offers
  return {
    currencyDisplayPolicy,
    ...(fxSnapshotId && { fxSnapshotId }),
    capturedAt,
    ttlExpiresAt,
    isStale: isStale || fxStale,
  }
}

function roomOffers(
  room: PropertyDetail['roomTypes'][number],
  { offers, locale }: OfferParts,
): RoomOffersVM {
  const known = offers?.rooms.find(({ roomTypeId }) => roomTypeId === room.roomTypeId)
  return {
    ...roomOf(room, locale),
    ...(offers && { roomsLeft: known?.roomsLeft ?? 0 }),
    offers: known?.offers.map((offer) => offerIn(offer, known, locale)) ?? [],
  }
}

/** Every member is named: undeclared members of an upstream response are dropped. */
function offerIn(offer: CapturedOffer, { roomsLeft }: CapturedRoom, locale: Locale): StayOfferVM {
  const { minNights, maxNights, advanceDaysMin, price, reason } = offer
  return {
    ...termsIn(offer, locale),
    minNights,
    maxNights,
    advanceDaysMin,
    availability: availabilityOf(
      price === undefined ? (reason ?? 'no_rate') : undefined,
      roomsLeft,
    ),
    ...(price && {
      price: {
        cheapestNightlyMinor: price.cheapestNightlyMinor,
        totalForStayMinor: price.totalForStayMinor,
        currency: price.currency,
        charges: chargesIn(price.charges, locale),
        lines: linesIn(price.lines, locale),
        roomsLeft: price.roomsLeft,
        digest: price.digest,
      },
    }),
  }
}
