import type { OperationExamples } from '@melmastoon/chassis/http'
import { CARD, RATE } from './example-card.ts'

/** Of a comparison of hotels; lists are shortened. */
export const comparisonResponse = {
  'consumer.comparison.read': {
    '200': {
      sections: {
        listings: {
          status: 'fresh',
          ageMs: 20,
        },
        brands: {
          status: 'fresh',
          ageMs: 725,
        },
        prices: {
          status: 'fresh',
          ageMs: 2,
        },
        facts: {
          status: 'fresh',
          ageMs: 539,
        },
      },
      degraded: false,
      amenities: [
        {
          code: 'air-conditioning',
          name: 'Air conditioning',
          has: [true],
        },
      ],
      missing: [],
      hotels: [
        {
          card: {
            ...CARD,
            availability: {
              bookable: true,
            },
            rateSnapshot: RATE,
          },
          facts: {
            propertyType: 'hotel',
            address: '2 Al Mahatta Street, Deira, Dubai',
            checkInTime: '14:00',
            checkOutTime: '11:00',
            cancellation: {
              kind: 'free',
              freeUntilHours: 48,
              penaltyBasisPoints: 10000,
              text: 'Free until 2 days before arrival; later the whole stay is charged. Other rates may have other terms.',
            },
            roomTypes: 4,
          },
        },
      ],
    },
  },
} as const satisfies Readonly<Record<string, NonNullable<OperationExamples['responses']>>>
