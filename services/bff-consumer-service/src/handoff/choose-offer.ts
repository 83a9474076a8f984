import type { Occupancy } from '@melmastoon/bff/stays'
import type { UpstreamCall } from '@melmastoon/bff/upstreams'
import { createDeadline } from '@melmastoon/chassis/clock'
import { type ReportSection, UpstreamRejection } from '@melmastoon/chassis/upstream'
import {
  type CurrencyCode,
  fieldError,
  isProblem,
  type PropertyId,
  problem,
  type RatePlanId,
  type RoomTypeId,
} from '@melmastoon/domain'
import type { HandoffOffer, ShownPrice } from '@melmastoon/security'
import type { UnbookableReason } from '@melmastoon/upstream-contracts/offers'
import { type HotelPriceDeps, peekOwnPrice } from '../hotels/hotel-prices.ts'
import {
  type CapturedOffer,
  type CapturedRoom,
  cheapestOf,
  reasonOf,
} from '../offers/capture-offers.ts'
import { OFFERS_MS } from '../offers/offer-caches.ts'
import { type OfferDeps, offersOf, readOffers } from '../offers/read-offers.ts'
import { type CurrentPrice, type RateDeps, readRate } from '../rates/read-rates.ts'
import type { HandoffBody } from './handoff-fields.ts'

export type ChooseOfferDeps = RateDeps &
  OfferDeps &
  Pick<HotelPriceDeps, 'hotelPrices'> & {
    readonly upstreams: RateDeps['upstreams'] & OfferDeps['upstreams']
    readonly reportSection: ReportSection
  }

export interface ChosenStay {
  readonly propertyId: PropertyId
  readonly body: HandoffBody
  readonly currency: CurrencyCode
}

const NOT_BOOKABLE = 'MELMASTOON.BFF.CONSUMER.STAY_NOT_BOOKABLE'

/**
 * What the guest states is signed as stated, because that is what they saw; members that are absent
 * come from the current offer, if it is the same one. Without prices the stay is handed off
 * unchecked: the hotel's site checks it again in any case (D22).
 * @throws Problem STAY_NOT_BOOKABLE with the reason.
 */
export async function chooseOffer(
  deps: ChooseOfferDeps,
  stay: ChosenStay,
  { deadline: whole, trace }: UpstreamCall,
): Promise<HandoffOffer> {
  const stated = statedOffer(stay.body)
  using deadline = createDeadline(OFFERS_MS, { parent: whole.signal })
  try {
    const current = await readCurrent(deps, { ...stay, stated }, { deadline, trace })
    return current === null ? stated : completeOffer(stated, current)
  } catch (error) {
    if (isProblem(error) ? error.code === NOT_BOOKABLE : !(error instanceof UpstreamRejection)) {
      throw error
    }
    deps.reportSection('offer', error)
    return stated
  }
}

function statedOffer(body: HandoffBody): HandoffOffer {
  const { roomTypeId = null, ratePlanId = null, digest = null, shownPrice = null } = body
  return { roomTypeId, ratePlanId, digest, shownPrice }
}

interface CurrentOffer {
  readonly roomTypeId: RoomTypeId
  readonly ratePlanId: RatePlanId
  readonly digest: string
  readonly price: ShownPrice
}

type StatedStay = ChosenStay & { readonly stated: HandoffOffer }

/** The chosen offer, or the cheapest one if none was chosen. */
async function readCurrent(
  deps: ChooseOfferDeps,
  stay: StatedStay,
  call: UpstreamCall,
): Promise<CurrentOffer | null> {
  const { roomTypeId, ratePlanId, digest } = stay.stated
  const hasChosen = roomTypeId !== null || ratePlanId !== null || digest !== null
  return hasChosen ? await readChosen(deps, stay, call) : await readCheapest(deps, stay, call)
}

async function readChosen(
  deps: ChooseOfferDeps,
  { propertyId, body, currency, stated }: StatedStay,
  call: UpstreamCall,
): Promise<CurrentOffer> {
  const request = { propertyId, stay: body.dates, occupancy: partyOf(body), currency }
  const { rooms } = offersOf(await readOffers(deps, request, call))
  const matching = rooms.map((room) => ({
    ...room,
    offers: room.offers.filter((offer) => isStated(offer, stated)),
  }))
  const offers = matching.flatMap((room) => room.offers)
  const offer = offers.find(({ price }) => price?.digest === stated.digest) ?? cheapestOf(offers)
  if (offer?.price === undefined) {
    throwIfUnknown(rooms, stated)
    throw notBookable(reasonOf(matching) ?? 'no_rate', stated)
  }
  const { digest, totalForStayMinor: amountMinor, currency: shown } = offer.price
  const { roomTypeId, ratePlanId } = offer
  return { roomTypeId, ratePlanId, digest, price: { amountMinor, currency: shown } }
}

function isStated(offer: CapturedOffer, { roomTypeId, ratePlanId }: HandoffOffer): boolean {
  return (
    (roomTypeId === null || offer.roomTypeId === roomTypeId) &&
    (ratePlanId === null || offer.ratePlanId === ratePlanId)
  )
}

/** Mostly from the price that the hotel page has just shown, without an upstream call. */
async function readCheapest(
  deps: ChooseOfferDeps,
  { propertyId, body, currency }: StatedStay,
  call: UpstreamCall,
): Promise<CurrentOffer | null> {
  const occupancy = partyOf(body)
  const shown = peekOwnPrice(deps, { propertyId, stay: body.dates, occupancy, currency })
  const query = { dates: body.dates, occupancy }
  const price: CurrentPrice =
    shown ?? (await readRate(deps, propertyId, { query, currency, ...call }))
  if (price === null) return null
  if (price.kind === 'unbookable') throw notBookable(price.reason)
  const { offer, totalForStayMinor: amountMinor, currency: inCurrency } = price.rate
  const { roomTypeId, ratePlanId, digest } = offer
  return { roomTypeId, ratePlanId, digest, price: { amountMinor, currency: inCurrency } }
}

/** Ages are sorted, as in all cached prices. */
function partyOf({ occupancy }: HandoffBody): Occupancy {
  const { adults, children = 0, rooms = 1, childrenAges = [] } = occupancy
  const ages = childrenAges.toSorted((a, b) => a - b)
  return { adults, children, rooms, ...(ages.length > 0 && { childrenAges: ages }) }
}

/** Price and digest are filled together: a digest means that exactly this price was shown. */
function completeOffer(stated: HandoffOffer, current: CurrentOffer): HandoffOffer {
  const { roomTypeId, ratePlanId, digest, shownPrice } = stated
  const isSame = digest === null || digest === current.digest
  const isSamePrice =
    shownPrice === null ||
    (shownPrice.amountMinor === current.price.amountMinor &&
      shownPrice.currency === current.price.currency)
  return {
    roomTypeId: roomTypeId ?? (isSame ? current.roomTypeId : null),
    ratePlanId: ratePlanId ?? (isSame ? current.ratePlanId : null),
    digest: digest ?? (isSamePrice ? current.digest : null),
    shownPrice: shownPrice ?? (isSame ? current.price : null),
  }
}

/** @throws Problem with a pointer to each id that the hotel does not have. */
function throwIfUnknown(rooms: readonly CapturedRoom[], stated: HandoffOffer): void {
  const { roomTypeId, ratePlanId } = stated
  const offers = rooms.flatMap((room) => room.offers)
  const hasRoom = rooms.some((room) => room.roomTypeId === roomTypeId)
  const hasPlan = offers.some((offer) => offer.ratePlanId === ratePlanId)
  const errors = [
    ...(roomTypeId === null || hasRoom ? [] : [unknown('/roomTypeId')]),
    ...(ratePlanId === null || hasPlan ? [] : [unknown('/ratePlanId')]),
  ]
  if (errors.length > 0) throw problem(NOT_BOOKABLE, { errors })
}

const unknown = (pointer: string) => fieldError(pointer, 'unknown', 'is not offered by this hotel')

/** Reasons that come from the rate plan: another plan may allow the stay. */
const OF_PLAN: ReadonlySet<UnbookableReason> = new Set([
  'closed_to_arrival',
  'closed_to_departure',
  'min_nights',
  'max_nights',
  'advance_days',
  'no_rate',
])

function notBookable(reason: UnbookableReason, stated?: HandoffOffer) {
  const errors = [fieldError(pointerOf(reason, stated), reason, 'cannot be booked at this hotel')]
  return problem(NOT_BOOKABLE, { errors })
}

function pointerOf(reason: UnbookableReason, stated: HandoffOffer | undefined): string {
  if (reason === 'party_too_large' || reason === 'party_not_accepted') return '/occupancy'
  const hasPlan = stated !== undefined && stated.ratePlanId !== null
  return hasPlan && OF_PLAN.has(reason) ? '/ratePlanId' : '/dates'
}
