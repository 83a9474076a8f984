import type { OperationExamples } from '@melmastoon/chassis/http'
import { OFFER } from './example-card.ts'
import { OFFERS } from './example-offers.ts'
import { STAY } from './example-stay.ts'

/** A hotel of the demo world, so that the requests work there. */
const PROPERTY_ID = 'ppt_01JGFJJZ00FEZX5NKGQTQDJ3B0'
const TENANT_ID = 'tnt_01JGFJJZ007BWH85T2P5075HP0'
const OCCUPANCY = { adults: 2, children: 0, rooms: 1 }
const PREFERENCES = { locale: 'en', currency: 'AED' }

const CALENDAR = {
  sections: {
    prices: {
      status: 'fresh',
      ageMs: 0,
    },
  },
  degraded: false,
  propertyId: 'ppt_01JGFJJZ00FEZX5NKGQTQDJ3B0',
  from: '2027-05-20',
  occupancy: {
    adults: 2,
    children: 0,
    rooms: 1,
  },
  days: [
    {
      date: '2027-05-20',
      availability: {
        bookable: true,
      },
      minNights: 1,
      roomsLeft: 48,
      cheapest: {
        nights: 1,
        cheapestNightlyMinor: 49192,
        totalForStayMinor: 58317,
        currency: 'AED',
        roomTypeId: 'rmt_01JGFJJZ00AYD7SK78CDPVP0Y0',
        ratePlanCode: 'NRF',
      },
    },
  ],
  rates: {
    currencyDisplayPolicy: 'user-preferred',
    capturedAt: '2026-11-16T09:11:24.150Z',
    ttlExpiresAt: '2026-11-16T09:12:24.150Z',
    isStale: false,
  },
}

const PRICE = {
  propertyId: 'ppt_01JGFJJZ00FEZX5NKGQTQDJ3B0',
  stay: {
    checkIn: '2027-05-20',
    checkOut: '2027-05-22',
  },
  occupancy: {
    adults: 2,
    children: 0,
    rooms: 1,
  },
  sections: {
    prices: {
      status: 'fresh',
      ageMs: 0,
    },
  },
  degraded: false,
  availability: {
    bookable: true,
  },
  cheapestRateSnapshot: {
    cheapestNightlyMinor: 41624,
    totalForStayMinor: 107893,
    currency: 'AED',
    currencyDisplayPolicy: 'user-preferred',
    capturedAt: '2026-11-16T09:11:23.990Z',
    ttlExpiresAt: '2026-11-16T09:12:23.990Z',
    isStale: false,
    offer: {
      ...OFFER,
      charges: [
        {
          kind: 'tax',
          code: 'MUNICIPALITY',
          label: 'Municipality fee',
          amountMinor: 9082,
          included: false,
        },
        {
          kind: 'tax',
          code: 'VAT',
          label: 'Value added tax',
          amountMinor: 4995,
          included: false,
        },
        {
          kind: 'tax',
          code: 'TOURISM-DIRHAM',
          label: 'Tourism dirham',
          amountMinor: 3000,
          included: false,
        },
      ],
      roomsLeft: 14,
      digest: 'sha256:47f75326c0bc77cebbbfd40459dc921b2ead0c212058855a9c76f8df266494d5',
    },
  },
  priceCalendarPreview: [
    {
      date: '2027-05-20',
      cheapestMinor: 49192,
      currency: 'AED',
    },
    {
      date: '2027-05-21',
      cheapestMinor: 41624,
      currency: 'AED',
    },
  ],
}

const HANDOFF = {
  handoffId: 'bhd_01M7HT0802J0JBWMHVTAFDQ9GW',
  redirectUrl: 'https://creek-pearl.melmastoon.ghasi.io/book?h=djMKYmhk…',
  expiresAt: '2026-11-16T09:41:24.418Z',
  ttlSeconds: 1800,
  offer: {
    roomTypeId: 'rmt_01JGFJJZ00AYD7SK78CDPVP0Y0',
    ratePlanId: 'rate_1HNP6VNC6CH2DSDYPWE75PM240',
    digest: 'sha256:47f75326c0bc77cebbbfd40459dc921b2ead0c212058855a9c76f8df266494d5',
    shownPrice: {
      amountMinor: 107893,
      currency: 'AED',
    },
  },
}

/** By operation; a test validates them with the schemas of the routes. */
export const offerExamples = {
  'consumer.hotel.offers': {
    parameters: { propertyId: PROPERTY_ID, ...STAY, adults: OCCUPANCY.adults, ...PREFERENCES },
    responses: { 200: OFFERS },
  },
  'consumer.hotel.calendar': {
    parameters: {
      propertyId: PROPERTY_ID,
      from: STAY.checkIn,
      nights: 60,
      adults: OCCUPANCY.adults,
      ...PREFERENCES,
    },
    responses: { 200: CALENDAR },
  },
  'consumer.hotel.price': {
    parameters: { propertyId: PROPERTY_ID, ...STAY, adults: OCCUPANCY.adults, ...PREFERENCES },
    responses: { 200: PRICE },
  },
  'consumer.handoff.mint': {
    parameters: { tenantId: TENANT_ID, propertyId: PROPERTY_ID },
    body: { dates: STAY, occupancy: OCCUPANCY, ...PREFERENCES },
    responses: { 201: HANDOFF },
  },
} as const satisfies Readonly<Record<string, OperationExamples>>
