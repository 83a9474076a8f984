import type { OperationExamples } from '@melmastoon/chassis/http'
import { CARD, RATE, ROOM } from './example-card.ts'
import { POLICIES } from './example-offers.ts'

/** Of hotels; lists are shortened. */
export const hotelResponses = {
  'consumer.hotel.get': {
    '200': {
      sections: {
        property: {
          status: 'fresh',
          ageMs: 319,
        },
        similar: {
          status: 'fresh',
          ageMs: 68,
        },
        prices: {
          status: 'fresh',
          ageMs: 12,
        },
        brand: {
          status: 'fresh',
          ageMs: 505,
        },
      },
      degraded: false,
      stay: {
        checkIn: '2027-05-20',
        checkOut: '2027-05-22',
      },
      occupancy: {
        adults: 2,
        children: 0,
        rooms: 1,
      },
      property: {
        propertyId: 'ppt_01JGFJJZ00FEZX5NKGQTQDJ3B0',
        tenantId: 'tnt_01JGFJJZ007BWH85T2P5075HP0',
        name: {
          default: 'Creek Pearl Hotel Deira',
          localized: {
            'fa-AF': 'هوتل مروارید دیره',
            'ps-AF': 'د دیرې ملغلره هوټل',
          },
        },
        description:
          'Creek Pearl Hotel Deira. Dhows at the door, the gold market around the corner.',
        propertyType: 'hotel',
        starRating: 4,
        guestRating: {
          value: 8.2,
          count: 688,
        },
        geo: {
          lat: 25.26619,
          lng: 55.31971,
        },
        timeZone: 'Asia/Dubai',
        address: {
          line: '2 Al Mahatta Street, Deira, Dubai',
          nativeLine: 'شارع المحطة، مبنى 2، دبي',
          neighbourhood: 'Deira',
          city: 'Dubai',
          region: 'Dubai',
          country: 'AE',
        },
        badges: ['shariaCompliant'],
      },
      rooms: [ROOM],
      amenities: [
        {
          code: 'pool',
          name: {
            default: 'Swimming pool',
            localized: {
              'fa-AF': 'حوض شنا',
              'ps-AF': 'د لامبو حوض',
            },
          },
        },
      ],
      photos: [
        {
          url: 'http://127.0.0.1:8090/photos/pht_01JGFJJZ00FEZX5NKGQTQDJ3B0.svg',
          alt: 'Creek Pearl Hotel Deira, seen from the street',
          width: 800,
          height: 500,
          sources: [
            {
              url: 'http://127.0.0.1:8090/photos/pht_01JGFJJZ00FEZX5NKGQTQDJ3B0/320.webp',
              width: 320,
              format: 'webp',
            },
          ],
          category: 'exterior',
          isHero: true,
        },
      ],
      policies: POLICIES,
      reviews: {
        count: 688,
        scores: [
          {
            aspect: 'cleanliness',
            value: 8,
          },
        ],
        items: [
          {
            author: 'رحیم ص.',
            rating: 9,
            stayedIn: '2026-10',
            travellers: 'friends',
            language: 'fa-AF',
            text: 'Good beds and warm rooms. Access with a wheelchair is easy.',
          },
        ],
      },
      popularitySignals: {
        bookedLast24h: 1,
        viewedLast1h: 35,
      },
      handoffHint: {
        url: '/bff/consumer/v1/handoff/tnt_01JGFJJZ007BWH85T2P5075HP0/ppt_01JGFJJZ00FEZX5NKGQTQDJ3B0',
        ttlSeconds: 1800,
      },
      brandPeek: CARD.brandPeek,
      availability: {
        bookable: true,
      },
      cheapestRateSnapshot: { ...RATE, isStale: true },
      priceCalendarPreview: [
        {
          date: '2027-05-20',
          cheapestMinor: 37840,
          currency: 'AED',
        },
      ],
      similarProperties: [],
    },
  },
  'consumer.availability.read': {
    '200': {
      sections: {
        availability: {
          status: 'fresh',
          ageMs: 0,
        },
      },
      degraded: false,
      propertyId: 'ppt_01JGFJJZ00FEZX5NKGQTQDJ3B0',
      nights: [
        {
          night: '2027-05-20',
          roomsLeft: 27,
          roomsTotal: 48,
        },
        {
          night: '2027-05-21',
          roomsLeft: 22,
          roomsTotal: 48,
        },
      ],
    },
  },
} as const satisfies Readonly<Record<string, NonNullable<OperationExamples['responses']>>>
