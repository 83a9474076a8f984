import { systemClock } from '@melmastoon/chassis/clock'
import { newTrace, renderTraceparent } from '@melmastoon/chassis/telemetry'
import {
  addDays,
  DEFAULT_LOCALE,
  type IsoDate,
  newId,
  type RoomTypeId,
  type TenantId,
} from '@melmastoon/domain'
import type { PropertyDetail } from '@melmastoon/upstream-contracts/property'
import type { Tenant } from '@melmastoon/upstream-contracts/tenant'
import { type InventoryModule, STAY_NIGHTS_MAX } from '../inventory/module.ts'
import { lowestNightly, type PricingModule } from '../pricing/module.ts'
import type { PropertyModule } from '../property/module.ts'
import type { TenantModule } from '../tenant/module.ts'
import type { RoomTypeNights } from './index/room-nights.ts'
import type { ListingDocument } from './listing-document.ts'
import type { ListedRates, NightRooms, PropertyRef, SearchSources } from './search-sources.ts'

const CALLER = 'search-aggregation-service'

export interface Siblings {
  readonly tenant: Pick<TenantModule, 'findTenant'>
  readonly property: Pick<PropertyModule, 'findProperty'>
  readonly pricing: Pick<
    PricingModule,
    'readRateCards' | 'readFxRates' | 'readExchange' | 'readOffers' | 'readStayDays'
  >
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
    readRates: (ref) => readRates(pricing, ref),
    readFxRates: () => pricing.readFxRates(),
    readExchange: () => pricing.readExchange(),
    readRateCards: (propertyIds) => pricing.readRateCards(propertyIds),
    readOffers: (request) => pricing.readOffers(request),
    readStayDays: (request) => pricing.readStayDays(request),
    async readAvailability({ tenantId, propertyId }, from, to) {
      const nightsOf = new Map<RoomTypeId, Night[]>()
      for (const span of partsOf(from, to)) {
        const query = { propertyId, ...span }
        const { roomTypes } = await inventory.handlers.availability({ query }, callFor(tenantId))
        for (const { roomTypeId, nights } of roomTypes) {
          nightsOf.set(roomTypeId, [...(nightsOf.get(roomTypeId) ?? []), ...nights])
        }
      }
      return sumNights([...nightsOf])
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
    roomTypes: detail.roomTypes.map(({ roomTypeId, name, adultsMax, childrenMax, roomCount }) => ({
      roomTypeId,
      name,
      adultsMax,
      childrenMax,
      rooms: roomCount,
    })),
    paymentMethods: updater.config.paymentEnabled ? updater.config.paymentMethods : [],
  }
}

/** From the tables: data of a change event must not be read from an older cache. */
async function readRates(
  pricing: Siblings['pricing'],
  { tenantId, propertyId }: PropertyRef,
): Promise<ListedRates> {
  const [card] = await pricing.readRateCards([propertyId])
  if (card?.tenantId !== tenantId) return { cheapest: null, revision: 0 }
  const { currency, revision } = card
  const lowest = lowestNightly(card)
  const cheapest = lowest === null ? null : { amountMicro: Number(lowest), currency }
  return { cheapest, revision }
}

interface Night {
  readonly capacity: number
  readonly available: number
}

function sumNights(
  nightsOfTypes: readonly (readonly [RoomTypeId, readonly Night[]])[],
): NightRooms {
  const length = Math.max(0, ...nightsOfTypes.map(([, nights]) => nights.length))
  const sum = (night: number, member: keyof Night) =>
    nightsOfTypes.reduce((total, [, nights]) => total + (nights[night]?.[member] ?? 0), 0)
  const nights = Array.from({ length }, (_, night) => night)
  return {
    roomsTotal: Math.max(0, ...nights.map((night) => sum(night, 'capacity'))),
    roomsLeft: nights.map((night) => sum(night, 'available')),
    roomTypes: nightsOfTypes.map(roomTypeNights),
  }
}

function roomTypeNights([roomTypeId, nights]: readonly [
  RoomTypeId,
  readonly Night[],
]): RoomTypeNights {
  return {
    roomTypeId,
    roomsTotal: Math.max(0, ...nights.map(({ capacity }) => capacity)),
    roomsLeft: nights.map(({ available }) => available),
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
