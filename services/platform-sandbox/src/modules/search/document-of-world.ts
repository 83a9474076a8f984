import { photoIdOf, photoPath } from '../../drawings/photo-id.ts'
import type { WorldProperty, WorldTenant } from '../../world/world.ts'
import { plansOf } from '../pricing/module.ts'
import type { CheapestNight, ListingDocument } from './listing-document.ts'

/** The same document that an event about the unchanged hotel would produce. */
export function documentOfWorld(property: WorldProperty, tenant: WorldTenant): ListingDocument {
  return {
    propertyId: property.propertyId,
    tenantId: property.tenantId,
    tenantSlug: tenant.slug,
    name: property.name,
    city: property.city,
    region: property.region,
    country: property.country,
    neighbourhood: property.neighbourhood,
    geo: { lat: property.lat, lng: property.lng },
    photoPath: photoPath(photoIdOf(property.propertyId, 0)),
    propertyType: property.propertyType,
    starRating: property.starRating,
    guestRating: property.guestRating,
    amenities: property.amenities,
    cancellationFlexibility: property.cancellation,
    shariaCompliant: property.shariaCompliant,
    openedOn: property.openedOn,
    deliveryRegion: tenant.region,
    timeZone: property.timeZone,
    roomTypes: property.roomTypes.map(({ roomTypeId, name, adultsMax, childrenMax, rooms }) => ({
      roomTypeId,
      name,
      adultsMax,
      childrenMax,
      rooms: rooms.length,
    })),
    paymentMethods: tenant.paymentMethods,
  }
}

/** From the public rates, as seeded in pricing. */
export function cheapestInWorld(property: WorldProperty): CheapestNight {
  const prices = plansOf(property, false).flatMap(({ nightly }) => nightly)
  const amounts = prices.map(({ micro }) => Number(micro))
  return { amountMicro: Math.min(...amounts), currency: property.currency }
}
