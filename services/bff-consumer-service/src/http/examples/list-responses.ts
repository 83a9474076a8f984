import type { OperationExamples } from '@melmastoon/chassis/http'
import { CARD, RATE } from './example-card.ts'

/** Of the lists of a guest. */
export const listResponses = {
  'consumer.wishlist.add': {
    '200': {
      wishlistId: 'wsh_01M7HW52H2A84CG4AJKR4KYW2R',
      propertyId: 'ppt_01JGFJJZ00FEZX5NKGQTQDJ3B0',
      tenantId: 'tnt_01JGFJJZ007BWH85T2P5075HP0',
      addedAt: '2026-11-16T09:48:59.852Z',
      source: 'list',
      note: 'For the holidays',
      size: 1,
    },
    '201': {
      wishlistId: 'wsh_01M7HW52H2A84CG4AJKR4KYW2R',
      propertyId: 'ppt_01JGFJJZ00FEZX5NKGQTQDJ3B0',
      tenantId: 'tnt_01JGFJJZ007BWH85T2P5075HP0',
      addedAt: '2026-11-16T09:48:59.852Z',
      source: 'list',
      note: 'For the holidays',
      size: 1,
    },
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
          wishlistId: 'wsh_01M7HW52H2A84CG4AJKR4KYW2R',
          addedAt: '2026-11-16T09:48:59.852Z',
          source: 'list',
          note: 'For the holidays',
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
