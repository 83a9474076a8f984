/** A hotel of the demo world, as its card shows it. */
export const CARD = {
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
  cityKey: 'dubai',
  country: 'AE',
  neighbourhood: 'Deira',
  geo: {
    lat: 25.26619,
    lng: 55.31971,
  },
  timeZone: 'Asia/Dubai',
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
} as const

/** One of its rooms. */
export const ROOM = {
  roomTypeId: 'rmt_01JGFJJZ00W8RASN9J3M9GJ7X0',
  kind: 'king',
  name: {
    default: 'King room',
    localized: {
      'fa-AF': 'اتاق با تخت بزرگ',
      'ps-AF': 'لوی بستر خونه',
    },
  },
  adultsMax: 2,
  childrenMax: 1,
  occupancyMax: 3,
  sizeSqm: 36,
  beds: [
    {
      kind: 'king',
      count: 1,
    },
  ],
  photos: [
    {
      url: 'http://127.0.0.1:8090/photos/pht_01JGFJJZ00FEZX5NKGQTQDJ3BC.svg',
      alt: 'A room at Creek Pearl Hotel Deira',
      width: 800,
      height: 500,
      sources: [
        {
          url: 'http://127.0.0.1:8090/photos/pht_01JGFJJZ00FEZX5NKGQTQDJ3BC/640.webp',
          width: 640,
          format: 'webp',
        },
      ],
      category: 'room',
    },
  ],
} as const

/** The cheapest one, without its price. */
export const OFFER = {
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
} as const

/** The price of its cheapest room for the stay of the examples. */
export const RATE = {
  cheapestNightlyMinor: 37840,
  totalForStayMinor: 90410,
  currency: 'AED',
  currencyDisplayPolicy: 'user-preferred',
  capturedAt: '2026-11-16T09:48:59.687Z',
  ttlExpiresAt: '2026-11-16T09:49:59.687Z',
  isStale: false,
  offer: {
    ...OFFER,
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
} as const
