import { isDegraded, type Section } from '@melmastoon/bff/sections'
import type { UpstreamCall } from '@melmastoon/bff/upstreams'
import { createDeadline } from '@melmastoon/chassis/clock'
import { type Locale, type PropertyId, textFor } from '@melmastoon/domain'
import type { PropertyDetail } from '@melmastoon/upstream-contracts/property'
import { type CardDeps, type Cards, type ReadCards, readCards } from '../cards/read-cards.ts'
import { propertyOf, readProperty, type SourceDeps } from '../hotels/read-sources.ts'
import { addressLineOf } from '../hotels/write-property.ts'
import { UPSTREAM_MS } from '../upstreams/create-upstreams.ts'
import type { ComparedAmenity, ComparedFacts, ComparisonVM, MissingHotel } from './comparison.ts'

type DetailDeps = Pick<SourceDeps, 'properties' | 'upstreams'>

/**
 * A `ComparisonVM` as JSON text. A missing part of one hotel does not affect the others, and hotels
 * that cannot be shown are listed.
 * @throws Problem when none of the hotels is cached and the search service cannot be called.
 */
export async function compareHotels(
  deps: CardDeps & DetailDeps,
  propertyIds: readonly PropertyId[],
  call: ReadCards,
): Promise<string> {
  const [found, details] = await Promise.all([
    readCards(deps, propertyIds, call),
    readDetails(deps, propertyIds, call),
  ])
  const shown = propertyIds.filter((propertyId) => found.cards.has(propertyId))
  const known = shown.map((propertyId) => details.byProperty.get(propertyId))
  const sections = { ...found.sections, facts: detailSection(details, shown) }
  const head: Omit<ComparisonVM, 'hotels'> = {
    sections,
    degraded: isDegraded(sections),
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

/** Every member is named: undeclared members of an upstream response are dropped. */
function factsOf(detail: PropertyDetail, locale: Locale) {
  const { propertyType, address, policies, roomTypes } = detail
  const { cancellation, checkInTime, checkOutTime } = policies
  const facts: ComparedFacts = {
    propertyType,
    address: addressLineOf(address, locale),
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

interface Details {
  readonly byProperty: ReadonlyMap<PropertyId, PropertyDetail>
  /** Of the oldest entry. */
  readonly ageMs: number
  readonly isStale: boolean
}

/** The details of each hotel; those that the property service does not return are omitted. */
async function readDetails(
  deps: DetailDeps,
  propertyIds: readonly PropertyId[],
  { deadline: whole, trace }: UpstreamCall,
): Promise<Details> {
  using deadline = createDeadline(UPSTREAM_MS.property, { parent: whole.signal })
  const settled = await Promise.allSettled(
    propertyIds.map((propertyId) => readProperty(deps, propertyId, { deadline, trace })),
  )
  const entries = settled.filter((read) => read.status === 'fulfilled').map(({ value }) => value)
  const known = entries.filter(({ status }) => status === 200)
  const details = known.map(propertyOf)
  return {
    byProperty: new Map(details.map((detail) => [detail.propertyId, detail])),
    ageMs: known.reduce((oldestMs, { ageMs }) => Math.max(oldestMs, ageMs), 0),
    isStale: known.some(({ state }) => state === 'stale'),
  }
}

/** Only hotels that are shown count. */
function detailSection(
  { byProperty, ageMs, isStale }: Details,
  shown: readonly PropertyId[],
): Section {
  const isComplete = shown.every((propertyId) => byProperty.has(propertyId))
  if (!isComplete) return { status: 'missing', ageMs: Math.round(ageMs) }
  return { status: isStale ? 'stale' : 'fresh', ageMs: Math.round(ageMs) }
}

type WithAmenities = Pick<PropertyDetail, 'amenities'>

/** One row for each amenity of any hotel, the most frequent first. */
export function compareAmenities(
  hotels: readonly (WithAmenities | undefined)[],
  locale: Locale,
): ComparedAmenity[] {
  const names = new Map<string, string>()
  for (const { code, name } of hotels.flatMap((hotel) => hotel?.amenities ?? [])) {
    if (!names.has(code)) names.set(code, textFor(name, locale))
  }
  return [...names]
    .map(([code, name]) => ({ code, name, has: hotels.map((hotel) => hasAmenity(hotel, code)) }))
    .sort((a, b) => count(b) - count(a) || (a.code < b.code ? -1 : 1))
}

function hasAmenity(hotel: WithAmenities | undefined, code: string): boolean | null {
  return hotel === undefined ? null : hotel.amenities.some((amenity) => amenity.code === code)
}

function count({ has }: ComparedAmenity): number {
  return has.filter((value) => value === true).length
}
