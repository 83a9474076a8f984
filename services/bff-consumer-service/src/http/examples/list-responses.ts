import type { OperationExamples } from '@melmastoon/chassis/http'

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
            propertyId: 'ppt_01JGFJJZ00FEZX5NKGQTQDJ3B0',
            tenantId: 'tnt_01JGFJJZ007BWH85T2P5075HP0',
            tenantSlug: 'creek-pearl',
            name: {
              default: 'Creek Pearl Hotel Deira',
              localized: {
                'fa-AF': 'هوتل مروارید دیره',
                'ps-AF': 'د دیرې ملغلره هوټل',
              },
            },
            city: 'Dubai',
            country: 'AE',
            neighbourhood: 'Deira',
            geo: {
              lat: 25.26619,
              lng: 55.31971,
            },
            thumbnail: {
              url: 'http://127.0.0.1:8090/photos/pht_01JGFJJZ00FEZX5NKGQTQDJ3B0.svg',
              alt: 'Creek Pearl Hotel Deira',
              width: 800,
              height: 500,
              sources: [
                {
                  url: 'http://127.0.0.1:8090/photos/pht_01JGFJJZ00FEZX5NKGQTQDJ3B0/320.webp',
                  width: 320,
                  format: 'webp',
                },
              ],
            },
            starRating: 4,
            guestRating: {
              value: 8.2,
              count: 688,
            },
            amenityHighlights: ['pool'],
            badges: ['shariaCompliant'],
            brandPeek: {
              primaryColor: '#4662b9',
              logoUrl: 'http://127.0.0.1:8090/logos/tnt_01JGFJJZ007BWH85T2P5075HP0.svg',
              brandName: {
                default: 'Creek Pearl',
                localized: {
                  'fa-AF': 'مروارید خور',
                  'ps-AF': 'د خور ملغلره',
                },
              },
            },
            availability: {
              bookable: true,
            },
            rateSnapshot: {
              cheapestNightlyMinor: 37840,
              totalForStayMinor: 90410,
              currency: 'AED',
              currencyDisplayPolicy: 'user-preferred',
              capturedAt: '2026-11-16T09:48:59.872Z',
              ttlExpiresAt: '2026-11-16T09:49:59.872Z',
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
          card: {
            propertyId: 'ppt_01JGFJJZ00FEZX5NKGQTQDJ3B0',
            tenantId: 'tnt_01JGFJJZ007BWH85T2P5075HP0',
            tenantSlug: 'creek-pearl',
            name: {
              default: 'Creek Pearl Hotel Deira',
              localized: {
                'fa-AF': 'هوتل مروارید دیره',
                'ps-AF': 'د دیرې ملغلره هوټل',
              },
            },
            city: 'Dubai',
            country: 'AE',
            neighbourhood: 'Deira',
            geo: {
              lat: 25.26619,
              lng: 55.31971,
            },
            thumbnail: {
              url: 'http://127.0.0.1:8090/photos/pht_01JGFJJZ00FEZX5NKGQTQDJ3B0.svg',
              alt: 'Creek Pearl Hotel Deira',
              width: 800,
              height: 500,
              sources: [
                {
                  url: 'http://127.0.0.1:8090/photos/pht_01JGFJJZ00FEZX5NKGQTQDJ3B0/320.webp',
                  width: 320,
                  format: 'webp',
                },
              ],
            },
            starRating: 4,
            guestRating: {
              value: 8.2,
              count: 688,
            },
            amenityHighlights: ['pool'],
            badges: ['shariaCompliant'],
            brandPeek: {
              primaryColor: '#4662b9',
              logoUrl: 'http://127.0.0.1:8090/logos/tnt_01JGFJJZ007BWH85T2P5075HP0.svg',
              brandName: {
                default: 'Creek Pearl',
                localized: {
                  'fa-AF': 'مروارید خور',
                  'ps-AF': 'د خور ملغلره',
                },
              },
            },
          },
        },
      ],
    },
  },
} as const satisfies Readonly<Record<string, NonNullable<OperationExamples['responses']>>>
