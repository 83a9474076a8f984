import type { OperationExamples } from '@melmastoon/chassis/http'
import { CARD } from './example-card.ts'

const DUBAI = {
  kind: 'city',
  key: 'dubai',
  name: 'Dubai',
  country: 'AE',
  countryName: 'United Arab Emirates',
  region: { key: 'dubai', name: 'Dubai' },
  geo: { lat: 25.2048, lng: 55.2708 },
  count: 5,
  boundingBox: { swLat: 25.1089, swLng: 55.2366, neLat: 25.2766, neLng: 55.3302 },
  geoQuery: { mode: 'city', city: 'dubai' },
} as const

/** Of searches, maps, suggestions and facets; lists are shortened. */
export const searchResponses = {
  'consumer.search.list': {
    '200': {
      sections: {
        listings: {
          status: 'fresh',
          ageMs: 0,
        },
        prices: {
          status: 'fresh',
          ageMs: 88,
        },
        brands: {
          status: 'fresh',
          ageMs: 81,
        },
      },
      degraded: false,
      total: 2,
      nextCursor: 'MTAyMzMwIDExMzYgcHB0XzAxSkdGSkpaMDBGRVpYNU5LR1FUUURKM0Iw.Exk-b_0z28QW',
      items: [
        {
          ...CARD,
          distanceKm: 8.414,
          availability: {
            bookable: true,
          },
          rateSnapshot: {
            cheapestNightlyMinor: 43000,
            totalForStayMinor: 102330,
            currency: 'AED',
            currencyDisplayPolicy: 'user-preferred',
            capturedAt: '2026-11-16T09:48:58.955Z',
            ttlExpiresAt: '2026-11-16T09:49:58.955Z',
            isStale: false,
            offer: {
              roomTypeId: 'rmt_01JGFJJZ00AYD7SK78CDPVP0Y0',
              roomTypeName: 'Twin room',
              ratePlanId: 'rate_768T0WFGMG2H0JBE1XMEKTB8AZ',
              ratePlanCode: 'BAR',
              ratePlanName: 'Best available rate',
              category: 'bar',
              board: 'breakfast',
              cancellation: {
                kind: 'free',
                freeUntil: '2026-12-14T08:00:00.000Z',
                freeUntilHours: 48,
                penaltyBasisPoints: 10000,
              },
              payment: {
                timing: 'either',
                depositBasisPoints: 0,
              },
              charges: [
                {
                  kind: 'tax',
                  code: 'MUNICIPALITY',
                  label: 'Municipality fee',
                  amountMinor: 8600,
                  included: false,
                },
              ],
              roomsLeft: 7,
              digest: 'sha256:6c0f232bc2305a3301b6b9128f9785c352dd852357ffd8edd6e2273af337eb8c',
            },
          },
        },
      ],
      facets: {
        amenities: {
          'halal-kitchen': 2,
          wifi: 2,
          breakfast: 1,
          'prayer-room': 2,
          'women-only-floor': 1,
          'airport-pickup': 1,
          'security-guard': 1,
          elevator: 2,
          'family-rooms': 1,
          laundry: 1,
          gym: 1,
          'air-conditioning': 2,
          pool: 1,
          'step-free': 1,
        },
        starRating: {
          '2': 1,
          '4': 2,
        },
        propertyType: {
          hotel: 1,
          guesthouse: 1,
        },
        neighbourhoods: {
          Deira: 2,
        },
        cities: {
          dubai: 2,
        },
      },
      facetValues: {
        amenities: [
          {
            value: 'air-conditioning',
            label: 'Air conditioning',
            count: 2,
          },
        ],
        starRating: [
          {
            value: 4,
            count: 2,
          },
        ],
        propertyType: [
          {
            value: 'guesthouse',
            label: 'Guest house',
            count: 1,
          },
        ],
        neighbourhoods: [
          {
            value: 'Deira',
            label: 'Deira',
            count: 2,
          },
        ],
        cities: [
          {
            value: 'dubai',
            label: 'Dubai',
            count: 2,
          },
        ],
        price: {
          currency: 'AED',
          min: 43000,
          max: 45500,
          buckets: [
            {
              from: 43000,
              to: 43500,
              count: 1,
            },
            {
              from: 43500,
              to: 44000,
              count: 0,
            },
          ],
        },
        guestRating: {
          min: 8.2,
          max: 8.2,
          buckets: [
            {
              from: 8,
              to: 9,
              count: 1,
            },
          ],
        },
      },
      place: DUBAI,
    },
  },
  'consumer.suggestion.list': {
    '200': {
      suggestions: [{ ...DUBAI, match: 'exact' }],
    },
  },
  'consumer.facet.list': {
    '200': {
      sections: {
        facets: {
          status: 'fresh',
          ageMs: 0,
        },
      },
      degraded: false,
      total: 171,
      amenities: [
        {
          value: 'wifi',
          label: 'Free Wi-Fi',
          count: 157,
        },
      ],
      starRating: [
        {
          value: 5,
          count: 10,
        },
      ],
      propertyType: [
        {
          value: 'hotel',
          label: 'Hotel',
          count: 84,
        },
      ],
      neighbourhoods: [
        {
          value: 'City Centre',
          label: 'City Centre',
          count: 30,
        },
      ],
      cities: [
        {
          value: 'kabul',
          label: 'Kabul',
          count: 20,
        },
      ],
    },
  },
} as const satisfies Readonly<Record<string, NonNullable<OperationExamples['responses']>>>
