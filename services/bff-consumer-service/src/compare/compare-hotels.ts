import { type Locale, type PropertyId, textFor } from '@melmastoon/domain'
import type { PropertyDetail } from '@melmastoon/upstream-contracts/property'
import { type Cards, type ReadCards, readCards } from '../cards/read-cards.ts'
import type { ConsumerContext } from '../context.ts'
import { compareAmenities } from './compare-amenities.ts'
import type { ComparedFacts, ComparisonVM, MissingHotel } from './comparison.ts'
import { judgeDetails, readDetails } from './read-details.ts'

/**
 * A `ComparisonVM` as JSON text. What one hotel lacks is missing for it alone, and a hotel that
 * cannot be shown is named.
 * @throws Problem when the search service cannot be asked and not one of them is kept.
 */
export async function compareHotels(
  ctx: ConsumerContext,
  propertyIds: readonly PropertyId[],
  call: ReadCards,
): Promise<string> {
  const [found, details] = await Promise.all([
    readCards(ctx, propertyIds, call),
    readDetails(ctx, propertyIds, call),
  ])
  const shown = propertyIds.filter((propertyId) => found.cards.has(propertyId))
  const known = shown.map((propertyId) => details.byProperty.get(propertyId))
  const sections = { ...found.sections, facts: judgeDetails(details, shown) }
  const head: Omit<ComparisonVM, 'hotels'> = {
    sections,
    degraded: Object.values(sections).some(({ status }) => status !== 'fresh'),
    amenities: compareAmenities(known, call.locale),
    missing: listMissing(propertyIds, found),
  }
  const hotels = shown.map((propertyId, at) => {
    const detail = known[at]
    const facts =
      detail === undefined ? '' : `,"facts":${JSON.stringify(factsOf(detail, call.locale))}`
    return `{"card":${found.cards.get(propertyId)}${facts}}`
  })
  return `${JSON.stringify(head).slice(0, -1)},"hotels":[${hotels.join(',')}]}`
}

/** Every member is named, as on the cards: what an upstream adds does not get through. */
function factsOf({ propertyType, policies, roomTypes }: PropertyDetail, locale: Locale) {
  const { cancellation, checkInTime, checkOutTime } = policies
  const facts: ComparedFacts = {
    propertyType,
    checkInTime,
    checkOutTime,
    cancellation: {
      kind: cancellation.kind,
      freeUntilHours: cancellation.freeUntilHours,
      penaltyBasisPoints: cancellation.penaltyBasisPoints,
      text: textFor(cancellation.text, locale),
    },
    roomTypes: roomTypes.length,
  }
  return facts
}

function listMissing(
  propertyIds: readonly PropertyId[],
  { cards, notLoaded }: Cards,
): MissingHotel[] {
  return propertyIds
    .filter((propertyId) => !cards.has(propertyId))
    .map((propertyId) => ({
      propertyId,
      reason: notLoaded.has(propertyId) ? 'not-loaded' : 'not-found',
    }))
}
