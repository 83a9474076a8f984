import type { OperationExamples } from '@melmastoon/chassis/http'

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
          rateSnapshot: {
            cheapestNightlyMinor: 37840,
            totalForStayMinor: 90410,
            currency: 'AED',
            currencyDisplayPolicy: 'user-preferred',
            capturedAt: '2026-11-16T09:48:59.006Z',
            ttlExpiresAt: '2026-11-16T09:49:59.006Z',
            isStale: false,
            offer: {
              roomTypeId: 'rmt_01JGFJJZ00AYD7SK78CDPVP0Y0',
              roomTypeName: 'Twin room',
              ratePlanId: 'rate_1HNP6VNC6CH2DSDYPWE75PM240',
              ratePlanCode: 'NRF',
              ratePlanName: 'Non-refundable',
              category: 'non-refundable',
              board: 'room_only',
              cancellation: {
                kind: 'none',
                freeUntilHours: 0,
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
                  amountMinor: 7568,
                  included: false,
                },
              ],
              roomsLeft: 7,
              digest: 'sha256:e92b3c658c200520a4ac6d4a74f2989d68538b3db94f5f311a9b8f19eaaad99f',
            },
          },
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
