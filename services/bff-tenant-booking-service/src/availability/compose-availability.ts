import { isDegraded, type Section } from '@melmastoon/bff/sections'
import {
  type IsoDateTime,
  nightsBetween,
  type RoomTypeId,
  textFor,
  toIsoDateTime,
} from '@melmastoon/domain'
import type { PropertyDetail } from '@melmastoon/upstream-contracts/property'
import { describeCancellation } from '../properties/cancellation-terms.ts'
import type { AvailabilityRequest } from './availability-caches.ts'
import type { AvailabilityVM, OfferVM, RoomVM } from './availability-view.ts'
import type { Rate, Rates } from './read-rates.ts'

type RoomType = PropertyDetail['roomTypes'][number]

/** What the upstreams know about a stay; null for what they did not say in time. */
export interface AvailabilityParts {
  readonly property: PropertyDetail
  readonly rates: Rates | null
  readonly roomsLeft: ReadonlyMap<RoomTypeId, number> | null
  readonly sections: AvailabilityVM['sections']
}

/** "n left" is shown up to this number. */
const FEW_LEFT = 5

export function composeAvailability(
  request: AvailabilityRequest,
  parts: AvailabilityParts,
): AvailabilityVM {
  const { property, rates, sections } = parts
  const { propertyId, stay, occupancy, locale } = request
  const { checkInTime, checkOutTime } = property.policies
  return {
    propertyId,
    propertyName: textFor(property.name, locale),
    stay: { checkIn: stay.checkIn, checkOut: stay.checkOut, nights: nightsBetween(stay) },
    occupancy,
    timeZone: property.timeZone,
    checkInTime,
    checkOutTime,
    amenities: property.amenities.map(({ code, name }) => ({ code, name: textFor(name, locale) })),
    currency: describeCurrency(request, rates),
    rooms: property.roomTypes
      .map((type) => composeRoom(request, parts, type))
      .toSorted((a, b) => orderOf(a) - orderOf(b)),
    sections,
    degraded: isDegraded(sections),
    stale: sections.inventory.status !== 'fresh',
  }
}

function describeCurrency(
  { currency }: AvailabilityRequest,
  rates: Rates | null,
): AvailabilityVM['currency'] {
  const fxSnapshotId = rates?.fxSnapshotId as AvailabilityVM['currency']['fxSnapshotId'] | null
  return {
    requested: currency,
    shown: rates?.rates[0]?.total.currency ?? currency,
    converted: Boolean(fxSnapshotId),
    ...(fxSnapshotId && { fxSnapshotId }),
  }
}

function composeRoom(
  request: AvailabilityRequest,
  parts: AvailabilityParts,
  type: RoomType,
): RoomVM {
  const { locale, occupancy } = request
  const left = parts.roomsLeft?.get(type.roomTypeId)
  const soldOut = left !== undefined && left < occupancy.rooms
  const rates = parts.rates?.rates.filter(({ roomTypeId }) => roomTypeId === type.roomTypeId)
  const reason = soldOut ? 'sold_out' : priceReason(request, type, rates)
  const offers =
    reason === undefined ? (rates ?? []).map((rate) => describeOffer(request, parts, rate)) : []
  const [cheapest] = offers
  const { adultsMax, childrenMax, occupancyMax } = type
  return {
    roomTypeId: type.roomTypeId,
    name: textFor(type.name, locale),
    kind: type.kind,
    sizeSqm: type.sizeSqm,
    beds: type.beds.map(({ kind, count }) => ({ kind, count })),
    occupancy: { adultsMax, childrenMax, occupancyMax },
    photos: type.photos.map(({ url, alt }) => ({ url, alt: textFor(alt, locale) })),
    bookable: reason === undefined,
    soldOut,
    priceUnavailable: reason === 'price_unavailable',
    ...(reason !== undefined && { reason }),
    ...(soldOut ? {} : fewLeft(parts.sections.inventory, left)),
    ...(cheapest !== undefined && { cheapest }),
    offers,
  }
}

/** A badge of old numbers would mislead, so it needs current ones (F-3). */
function fewLeft({ status }: Section, left: number | undefined): Pick<RoomVM, 'left'> {
  return status === 'fresh' && left !== undefined && left <= FEW_LEFT ? { left } : {}
}

function priceReason(
  { occupancy }: AvailabilityRequest,
  type: RoomType,
  rates: readonly Rate[] | undefined,
): RoomVM['reason'] {
  if (!fits(type, occupancy)) return 'too_small'
  if (rates === undefined) return 'price_unavailable'
  return rates.length === 0 ? 'no_rate' : undefined
}

function fits(
  { adultsMax, occupancyMax }: RoomType,
  { adults, children, rooms }: AvailabilityRequest['occupancy'],
): boolean {
  return adults <= adultsMax * rooms && adults + children <= occupancyMax * rooms
}

function describeOffer(
  { stay, locale }: AvailabilityRequest,
  { property, rates, sections }: AvailabilityParts,
  rate: Rate,
): OfferVM {
  return {
    ratePlanId: rate.ratePlanId,
    ratePlanCode: rate.ratePlanCode,
    ratePlanName: textFor(rate.ratePlanName, locale),
    category: rate.category,
    board: rate.board,
    cancellation: describeCancellation(rate.cancellation, stay.checkIn, property.timeZone),
    nightly: rate.nightly,
    total: rate.total,
    taxesIncluded: true,
    feesIncluded: true,
    digest: rate.digest,
    capturedAt: captureTime(rates),
    isStale: sections.prices.status !== 'fresh',
  }
}

function captureTime(rates: Rates | null): IsoDateTime {
  return toIsoDateTime(new Date(rates?.capturedAtMs ?? 0))
}

/** Rooms with a price by price, then those without one, then those that cannot be booked. */
function orderOf({ cheapest, reason }: RoomVM): number {
  if (cheapest !== undefined) return cheapest.total.amountMinor
  return reason === 'price_unavailable' ? Number.MAX_SAFE_INTEGER - 1 : Number.MAX_SAFE_INTEGER
}
