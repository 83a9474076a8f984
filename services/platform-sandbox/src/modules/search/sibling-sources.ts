import { systemClock } from '@melmastoon/chassis/clock'
import { newTrace, renderTraceparent } from '@melmastoon/chassis/telemetry'
import { addDays, DEFAULT_LOCALE, type IsoDate, newId, type TenantId } from '@melmastoon/domain'
import type { PropertyDetail } from '@melmastoon/upstream-contracts/property'
import type { Tenant } from '@melmastoon/upstream-contracts/tenant'
import { type InventoryModule, STAY_NIGHTS_MAX } from '../inventory/module.ts'
import type { PricingModule } from '../pricing/module.ts'
import type { PropertyModule } from '../property/module.ts'
import type { TenantModule } from '../tenant/module.ts'
import type { CheapestNight, ListingDocument } from './listing-document.ts'
import type { NightRooms, PropertyRef, SearchSources } from './search-sources.ts'

const CALLER = 'search-aggregation-service'
/** Negotiated rates require their code. */
const NEGOTIATED: ReadonlySet<string> = new Set(['corporate', 'government'])

export interface Siblings {
  readonly tenant: Pick<TenantModule, 'findTenant'>
  readonly property: Pick<PropertyModule, 'findProperty'>
  readonly pricing: Pick<PricingModule, 'ratePlansOf' | 'readFxRates'>
  readonly inventory: Pick<InventoryModule, 'handlers'>
}

/** Reads through the public APIs of the other modules. */
export function siblingSources({ tenant, property, pricing, inventory }: Siblings): SearchSources {
  return {
    async readListing({ tenantId, propertyId }) {
      const [updater, detail] = await Promise.all([
        tenant.findTenant(tenantId),
        property.findProperty(propertyId),
      ])
      if (updater === null || updater.status === 'closed') return null
      return detail?.tenantId === tenantId ? toDocument(detail, updater) : null
    },
    readCheapest: (ref) => readCheapest(pricing, ref),
    readFxRates: () => pricing.readFxRates(),
    async readAvailability({ tenantId, propertyId }, from, to) {
      const parts: NightRooms[] = []
      for (const span of partsOf(from, to)) {
        const query = { propertyId, ...span }
        const { roomTypes } = await inventory.handlers.availability({ query }, callFor(tenantId))
        parts.push(sumNights(roomTypes.map(({ nights }) => nights)))
      }
      return {
        roomsTotal: Math.max(0, ...parts.map(({ roomsTotal }) => roomsTotal)),
        roomsLeft: parts.flatMap(({ roomsLeft }) => roomsLeft),
      }
    },
  }
}

/** The maximum number of nights of one inventory request. */
function* partsOf(from: IsoDate, to: IsoDate): Generator<{ from: IsoDate; to: IsoDate }> {
  for (let start = from; start < to; ) {
    const end = addDays(start, STAY_NIGHTS_MAX)
    yield { from: start, to: end < to ? end : to }
    start = end
  }
}

function toDocument(detail: PropertyDetail, updater: Tenant): ListingDocument {
  const { address, photos } = detail
  const hero = photos.find(({ isHero }) => isHero) ?? photos[0]
  return {
    propertyId: detail.propertyId,
    tenantId: detail.tenantId,
    tenantSlug: updater.slug,
    name: detail.name,
    city: address.city.key,
    region: address.region.key,
    country: address.country,
    neighbourhood: address.neighbourhood ?? null,
    geo: detail.geo,
    photoPath: hero === undefined ? '' : new URL(hero.url).pathname,
    propertyType: detail.propertyType,
    starRating: detail.starRating ?? null,
    guestRating: detail.guestRating ?? null,
    amenities: detail.amenities.map(({ code }) => code),
    cancellationFlexibility: detail.policies.cancellation.kind,
    shariaCompliant: detail.shariaCompliant,
    openedOn: detail.openedOn,
    deliveryRegion: updater.region,
    timeZone: detail.timeZone,
    roomTypes: detail.roomTypes.map(({ adultsMax, childrenMax, roomCount }) => ({
      adultsMax,
      childrenMax,
      rooms: roomCount,
    })),
  }
}

/** From the rate plans themselves: data of a change event must not be read from an older cache. */
async function readCheapest(
  pricing: Siblings['pricing'],
  { tenantId, propertyId }: PropertyRef,
): Promise<CheapestNight | null> {
  const plans = await pricing.ratePlansOf(tenantId, propertyId)
  let cheapest: CheapestNight | null = null
  for (const { status, category, prices } of plans) {
    if (status !== 'published' || NEGOTIATED.has(category)) continue
    for (const { nightly } of prices) {
      const amountMicro = Number(nightly.amountMicro)
      if (cheapest === null || amountMicro < cheapest.amountMicro) {
        cheapest = { amountMicro, currency: nightly.currency }
      }
    }
  }
  return cheapest
}

function sumNights(
  nightsOfTypes: readonly (readonly { capacity: number; available: number }[])[],
): NightRooms {
  const length = Math.max(0, ...nightsOfTypes.map((nights) => nights.length))
  const sum = (night: number, member: 'capacity' | 'available') =>
    nightsOfTypes.reduce((total, nights) => total + (nights[night]?.[member] ?? 0), 0)
  const nights = Array.from({ length }, (_, night) => night)
  return {
    roomsTotal: Math.max(0, ...nights.map((night) => sum(night, 'capacity'))),
    roomsLeft: nights.map((night) => sum(night, 'available')),
  }
}

/** Reads cause no events, but handlers require a caller. */
function callFor(tenantId: TenantId) {
  return {
    tenantId,
    caller: CALLER,
    locale: DEFAULT_LOCALE,
    scenario: undefined,
    cause: {
      producerInstance: CALLER,
      tenantId,
      requestId: newId('req'),
      traceparent: renderTraceparent(newTrace()),
      occurredAt: systemClock.now(),
    },
  }
}
