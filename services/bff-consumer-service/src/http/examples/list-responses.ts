import type { OperationExamples } from '@melmastoon/chassis/http'
import { CARD, RATE } from './example-card.ts'

const ENTRY = {
  wishlistId: 'wsh_01M7HW52H2A84CG4AJKR4KYW2R',
  addedAt: '2026-11-16T09:48:59.852Z',
  source: 'list',
  note: 'For the holidays',
} as const

const { propertyId, tenantId } = CARD
const ADDED = { ...ENTRY, propertyId, tenantId, size: 1 } as const

/** Of the lists of a guest. */
export const listResponses = {
  'consumer.wishlist.add': {
    '200': ADDED,
    '201': ADDED,
  },
  'consumer.wishlist.list': {
    '200': {
      size: 1,
      sections: {
        wishes: {
          status: 'fresh',
          ageMs: 0,
        },
        listings: {
          status: 'fresh',
          ageMs: 203,
        },
        brands: {
          status: 'fresh',
          ageMs: 907,
        },
        prices: {
          status: 'fresh',
          ageMs: 3,
        },
      },
      degraded: false,
      unavailable: [],
      items: [
        {
          ...ENTRY,
          card: {
            ...CARD,
            availability: {
              bookable: true,
            },
            rateSnapshot: RATE,
          },
        },
      ],
    },
  },
  'consumer.wishlist.remove': {},
  'consumer.recently_viewed.list': {
    '200': {
      sections: {
        listings: {
          status: 'fresh',
          ageMs: 211,
        },
        brands: {
          status: 'fresh',
          ageMs: 915,
        },
      },
      degraded: false,
      items: [
        {
          viewedAt: '2026-11-16T09:48:59.768Z',
          source: 'search-list',
          card: { ...CARD },
        },
      ],
    },
  },
} as const satisfies Readonly<Record<string, NonNullable<OperationExamples['responses']>>>
