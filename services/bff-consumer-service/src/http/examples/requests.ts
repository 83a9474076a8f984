import type { OperationExamples } from '@melmastoon/chassis/http'
import { OCCUPANCY, PREFERENCES, PROPERTY_ID, STAY } from './example-stay.ts'

type Requests = Readonly<Record<string, Pick<OperationExamples, 'body' | 'parameters'>>>

/** What is sent; the responses are next to it, by subject. */
export const REQUESTS = {
  'consumer.session.start': {
    body: {
      ...PREFERENCES,
      device: { screen: '1170x2532', timeZone: 'Asia/Dubai' },
      consent: { telemetry: true },
    },
  },
  'consumer.session.read': {},
  'consumer.session.clear': { body: {} },
  'consumer.locale.set': { body: { locale: 'ps-AF' } },
  'consumer.currency.set': { body: { currency: 'USD' } },
  'consumer.consent.set': { body: { telemetry: false } },
  'consumer.search.list': {
    body: {
      geo: { mode: 'city', city: 'dubai' },
      dates: STAY,
      occupancy: OCCUPANCY,
      filters: { starRating: [3, 4, 5], cancellationFlexibility: 'free' },
      sortKey: 'price-asc',
      pageSize: 1,
      ...PREFERENCES,
    },
  },
  'consumer.search.map': {
    body: {
      geo: {
        mode: 'bounding-box',
        boundingBox: { swLat: 25, swLng: 55, neLat: 25.4, neLng: 55.5 },
      },
      dates: STAY,
      occupancy: OCCUPANCY,
      targetPropertyId: PROPERTY_ID,
      ...PREFERENCES,
    },
  },
  'consumer.suggestion.list': { parameters: { q: 'dub', limit: 2, locale: 'en' } },
  'consumer.facet.list': { parameters: PREFERENCES },
  'consumer.hotel.get': {
    parameters: { propertyId: PROPERTY_ID, ...STAY, adults: 2, ...PREFERENCES },
  },
  'consumer.availability.read': {
    parameters: { propertyId: PROPERTY_ID, from: STAY.checkIn, to: STAY.checkOut },
  },
  'consumer.comparison.read': { parameters: { ids: PROPERTY_ID, ...STAY, adults: 2 } },
  'consumer.wishlist.add': {
    body: { propertyId: PROPERTY_ID, source: 'list', note: 'For the holidays' },
  },
  'consumer.wishlist.list': { parameters: { ...STAY, adults: 2 } },
  'consumer.wishlist.remove': { parameters: { propertyId: PROPERTY_ID } },
  'consumer.recently_viewed.list': {},
  'consumer.page_view.record': {
    body: { path: `/en/hotels/${PROPERTY_ID}`, propertyId: PROPERTY_ID, source: 'search-list' },
  },
  'consumer.funnel_step.record': { body: { step: 'map.opened', metadata: { zoom: 12 } } },
  'consumer.challenge.issue': { body: { action: 'consumer_search_list' } },
} as const satisfies Requests
