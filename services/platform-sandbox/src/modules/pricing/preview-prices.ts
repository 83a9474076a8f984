import { type CurrencyCode, type PropertyId, toIsoDateTime } from '@melmastoon/domain'
import type { InputOf, OutputOf } from '@melmastoon/upstream-contracts'
import type { pricingContract } from '@melmastoon/upstream-contracts/pricing'
import { checkStay } from './check-stay.ts'
import { type Display, displayPrice } from './display-price.ts'
import { cheapestOffer, roomTypeOf } from './engine/find-offers.ts'
import type { RateCard } from './engine/rate-card.ts'
import { partyOf, type StayRequest } from './engine/stay-request.ts'
import { hotelDay } from './hotel-day.ts'
import type { OpenBook, RateBook } from './rate-book.ts'
import { agedFx, marketBasisPoints } from './scenarios.ts'

type Operation = typeof pricingContract.operations.preview
type Preview = OutputOf<Operation>['previews'][number]

/** Clients must mark a price older than a minute as stale (D6). */
const VALID_MS = 60_000

export async function previewPrices(
  book: RateBook,
  { body }: InputOf<Operation>,
  scenario: string | undefined,
): Promise<OutputOf<Operation>> {
  const open = await book.open(body.propertyIds)
  const { arrival, nights } = checkStay(body, open.nowMs)
  const party = partyOf(body.occupancy)
  const market = marketBasisPoints(scenario)
  const displays = displaysFor({ ...open, fx: agedFx(open.fx, scenario) }, body.currency)
  const previews = body.propertyIds.map((propertyId) => {
    const card = scenario === 'no-rate' ? undefined : open.cards.get(propertyId)
    if (card === undefined) return unavailable(propertyId)
    const today = hotelDay(card.timeZone, open.nowMs)
    const stayRequest = { arrival, nights, party, today, marketBasisPoints: market }
    return previewOf(card, {
      stayRequest,
      rooms: body.occupancy.rooms,
      display: displays(card.currency),
    })
  })
  return {
    previews,
    capturedAt: toIsoDateTime(new Date(open.nowMs)),
    validUntil: toIsoDateTime(new Date(open.nowMs + VALID_MS)),
  }
}

interface PreviewRequest {
  readonly stayRequest: StayRequest
  readonly rooms: number
  readonly display: Display
}

function previewOf(card: RateCard, { stayRequest, rooms, display }: PreviewRequest): Preview {
  const { propertyId } = card
  const offer =
    stayRequest.arrival < stayRequest.today ? null : cheapestOffer(card, rooms, stayRequest)
  if (offer === null) return unavailable(propertyId)
  return {
    propertyId,
    status: 'priced',
    cheapestNightly: display.show(offer.bill.cheapestNight),
    totalForStay: display.show(offer.bill.total),
    ratePlanCode: offer.plan.code,
    roomTypeId: roomTypeOf(offer),
    currencyDisplayPolicy: display.policy,
    ...(display.fx !== null && {
      fxSnapshotId: display.fx.fxSnapshotId,
      fxStale: display.isStale,
    }),
  }
}

function unavailable(propertyId: PropertyId): Preview {
  return { propertyId, status: 'unavailable' }
}

/** Hotels of one page share few currencies. */
function displaysFor({ fx, nowMs }: OpenBook, requested: CurrencyCode) {
  const known = new Map<CurrencyCode, Display>()
  return (own: CurrencyCode): Display => {
    const display = known.get(own) ?? displayPrice({ own, requested, fx, nowMs })
    known.set(own, display)
    return display
  }
}
