import type { OperationExamples } from '@melmastoon/chassis/http'
import { DIGEST, OCCUPANCY, PROPERTY_ID, QUOTE_ID, ROOM_TYPE_ID, STAY } from './example-stay.ts'

const OFFER = {
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
  nightly: {
    amountMinor: 37840,
    currency: 'AED',
  },
  total: {
    amountMinor: 94780,
    currency: 'AED',
  },
  taxesIncluded: true,
  feesIncluded: true,
  digest: 'sha256:dab1a07308801fd85130128b22b6603d8dab0b5aa1bf72070764d4cd057fd5e4',
  capturedAt: '2026-11-16T02:40:24.866Z',
  isStale: false,
}

const AVAILABILITY = {
  propertyId: PROPERTY_ID,
  propertyName: 'Creek Pearl Hotel Deira',
  stay: {
    checkIn: '2027-05-20',
    checkOut: '2027-05-22',
    nights: 2,
  },
  occupancy: {
    adults: 2,
    children: 0,
    rooms: 1,
  },
  timeZone: 'Asia/Dubai',
  checkInTime: '14:00',
  checkOutTime: '11:00',
  amenities: [
    {
      code: 'pool',
      name: 'Swimming pool',
    },
    {
      code: 'halal-kitchen',
      name: 'Halal kitchen',
    },
  ],
  currency: {
    requested: 'AED',
    shown: 'AED',
    converted: false,
  },
  rooms: [
    {
      roomTypeId: 'rmt_01JGFJJZ00AYD7SK78CDPVP0Y0',
      name: 'Twin room',
      kind: 'twin',
      sizeSqm: 20,
      beds: [
        {
          kind: 'single',
          count: 2,
        },
      ],
      occupancy: {
        adultsMax: 2,
        childrenMax: 0,
        occupancyMax: 2,
      },
      photos: [
        {
          url: 'https://media.example.com/photos/pht_01JGFJJZ00FEZX5NKGQTQDJ3BE.svg',
          alt: 'A room at Creek Pearl Hotel Deira',
        },
      ],
      bookable: true,
      soldOut: false,
      priceUnavailable: false,
      left: 5,
      cheapest: OFFER,
      offers: [OFFER],
    },
  ],
  sections: {
    property: {
      status: 'fresh',
      ageMs: 0,
    },
    inventory: {
      status: 'fresh',
      ageMs: 0,
    },
    prices: {
      status: 'fresh',
      ageMs: 0,
    },
  },
  degraded: false,
  stale: false,
}

const QUOTE = {
  quoteId: QUOTE_ID,
  propertyId: PROPERTY_ID,
  propertyName: 'Creek Pearl Hotel Deira',
  stay: {
    checkIn: '2027-05-20',
    checkOut: '2027-05-22',
    nights: 2,
  },
  timeZone: 'Asia/Dubai',
  occupancy: {
    adults: 2,
    children: 0,
    rooms: 1,
  },
  rooms: [
    {
      roomTypeId: ROOM_TYPE_ID,
      name: 'King room',
      quantity: 1,
    },
  ],
  ratePlanId: 'rate_1HNP6VNC6CH2DSDYPWE75PM240',
  ratePlanCode: 'NRF',
  ratePlanName: 'Non-refundable',
  board: 'room_only',
  lines: [
    {
      kind: 'night',
      code: 'NRF',
      label: 'Night',
      roomTypeId: ROOM_TYPE_ID,
      night: '2027-05-20',
      quantity: 1,
      amount: {
        amountMinor: 45496,
        currency: 'AED',
      },
      included: false,
    },
    {
      kind: 'night',
      code: 'NRF',
      label: 'Night',
      roomTypeId: ROOM_TYPE_ID,
      night: '2027-05-21',
      quantity: 1,
      amount: {
        amountMinor: 41360,
        currency: 'AED',
      },
      included: false,
    },
    {
      kind: 'tax',
      code: 'MUNICIPALITY',
      label: 'Municipality fee',
      quantity: 1,
      amount: {
        amountMinor: 8686,
        currency: 'AED',
      },
      included: false,
    },
    {
      kind: 'tax',
      code: 'VAT',
      label: 'Value added tax',
      quantity: 1,
      amount: {
        amountMinor: 4777,
        currency: 'AED',
      },
      included: false,
    },
    {
      kind: 'tax',
      code: 'TOURISM-DIRHAM',
      label: 'Tourism dirham',
      quantity: 2,
      amount: {
        amountMinor: 3000,
        currency: 'AED',
      },
      included: false,
    },
  ],
  total: {
    amountMinor: 103319,
    currency: 'AED',
  },
  currency: {
    charged: 'AED',
    shown: 'AED',
    converted: false,
    explanationKey: 'quote.currency.same',
  },
  taxesIncluded: true,
  feesIncluded: true,
  cancellation: {
    kind: 'none',
    freeUntilHours: 0,
    penaltyBasisPoints: 10000,
  },
  digest: DIGEST,
  createdAt: '2026-11-16T02:40:24.955Z',
  expiresAt: '2026-11-16T03:10:24.955Z',
}

/** Of rooms and prices. */
export const stayExamples = {
  'booking.availability.read': {
    parameters: { propertyId: PROPERTY_ID, ...STAY, adults: 2, children: 0, rooms: 1 },
    responses: { 200: AVAILABILITY },
  },
  'booking.quote.create': {
    body: {
      propertyId: PROPERTY_ID,
      stay: STAY,
      occupancy: OCCUPANCY,
      rooms: [{ roomTypeId: ROOM_TYPE_ID, quantity: 1 }],
      ratePlanCode: 'NRF',
    },
    responses: { 201: QUOTE },
  },
} as const satisfies Readonly<Record<string, OperationExamples>>
