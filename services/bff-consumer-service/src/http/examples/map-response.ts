import type { OperationExamples } from '@melmastoon/chassis/http'
import { RATE } from './example-card.ts'

/** Of a map; lists are shortened. */
export const mapResponse = {
  'consumer.search.map': {
    '200': {
      sections: {
        listings: {
          status: 'fresh',
          ageMs: 0,
        },
        brands: {
          status: 'fresh',
          ageMs: 126,
        },
        prices: {
          status: 'fresh',
          ageMs: 0,
        },
      },
      degraded: false,
      total: 6,
      truncated: false,
      pinPrices: {
        capturedAt: '2026-11-16T09:48:59.044Z',
        ttlExpiresAt: '2026-11-16T09:49:59.044Z',
        isStale: false,
      },
      pins: [
        {
          propertyId: 'ppt_01JGFJJZ00FEZX5NKGQTQDJ3B0',
          geo: {
            lat: 25.26619,
            lng: 55.31971,
          },
          cheapestNightlyMinor: 37840,
          currency: 'AED',
          availability: {
            bookable: true,
          },
          rateSnapshot: RATE,
          brandColor: '#4662b9',
          name: 'Creek Pearl Hotel Deira',
          shownPrice: {
            nightlyMinor: 37840,
            currency: 'AED',
          },
        },
      ],
    },
  },
} as const satisfies Readonly<Record<string, NonNullable<OperationExamples['responses']>>>
