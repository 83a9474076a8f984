import { ROOM } from './example-card.ts'

/** Of the hotel in all examples. */
export const POLICIES = {
  cancellation:
    'Free until 2 days before arrival; later the whole stay is charged. Other rates may have other terms.',
  checkIn: '14:00',
  checkOut: '11:00',
  houseRules: [
    {
      code: 'no-smoking',
      text: 'No smoking in the rooms',
    },
    {
      code: 'quiet-hours',
      text: 'Quiet from 22:00 to 07:00',
    },
    {
      code: 'identity-paper',
      text: 'Guests show a passport or tazkira',
    },
    {
      code: 'no-alcohol',
      text: 'No alcohol in the house',
    },
    {
      code: 'no-pets',
      text: 'No pets',
    },
  ],
  details: {
    children: {
      text: 'Children up to 5 years stay free in the beds of their parents.',
      allowed: true,
      freeUntilAge: 5,
    },
    extraBeds: {
      text: 'One extra bed per room on request.',
      maxPerRoom: 1,
      cribs: false,
    },
    pets: {
      text: 'Pets are not allowed.',
      allowed: false,
    },
    lateArrival: {
      text: 'The front desk is open day and night.',
      noticeRequired: false,
    },
    identityDocuments: {
      text: 'Guests show a passport or an identity card.',
      accepted: ['passport', 'national_id'],
    },
  },
} as const

/** One of the rooms of a hotel, with an offer that can be booked and one that cannot. */
export const OFFERS = {
  sections: {
    property: {
      status: 'fresh',
      ageMs: 0,
    },
    prices: {
      status: 'fresh',
      ageMs: 0,
    },
  },
  degraded: false,
  propertyId: 'ppt_01JGFJJZ00FEZX5NKGQTQDJ3B0',
  tenantId: 'tnt_01JGFJJZ007BWH85T2P5075HP0',
  timeZone: 'Asia/Dubai',
  stay: {
    checkIn: '2027-05-20',
    checkOut: '2027-05-22',
  },
  occupancy: {
    adults: 2,
    children: 0,
    rooms: 1,
  },
  availability: {
    bookable: true,
  },
  rates: {
    currencyDisplayPolicy: 'user-preferred',
    capturedAt: '2026-11-16T09:11:23.609Z',
    ttlExpiresAt: '2026-11-16T09:12:23.609Z',
    isStale: false,
  },
  rooms: [
    {
      ...ROOM,
      roomsLeft: 20,
      offers: [
        {
          roomTypeId: 'rmt_01JGFJJZ00W8RASN9J3M9GJ7X0',
          roomTypeName: 'King room',
          ratePlanId: 'rate_768T0WFGMG2H0JBE1XMEKTB8AZ',
          ratePlanCode: 'BAR',
          ratePlanName: 'Best available rate',
          category: 'bar',
          board: 'breakfast',
          cancellation: {
            kind: 'free',
            freeUntil: '2027-05-18T08:00:00.000Z',
            freeUntilHours: 48,
            penaltyBasisPoints: 10000,
          },
          payment: {
            timing: 'either',
            depositBasisPoints: 0,
          },
          minNights: 1,
          maxNights: 30,
          advanceDaysMin: 0,
          availability: {
            bookable: true,
          },
          price: {
            cheapestNightlyMinor: 51700,
            totalForStayMinor: 133284,
            currency: 'AED',
            charges: [
              {
                kind: 'tax',
                code: 'MUNICIPALITY',
                label: 'Municipality fee',
                amountMinor: 11280,
                included: false,
              },
              {
                kind: 'tax',
                code: 'VAT',
                label: 'Value added tax',
                amountMinor: 6204,
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
            lines: [
              {
                kind: 'night',
                code: 'BAR',
                label: 'Night',
                night: '2027-05-20',
                quantity: 1,
                amountMinor: 61100,
                included: false,
              },
              {
                kind: 'night',
                code: 'BAR',
                label: 'Night',
                night: '2027-05-21',
                quantity: 1,
                amountMinor: 51700,
                included: false,
              },
              {
                kind: 'tax',
                code: 'MUNICIPALITY',
                label: 'Municipality fee',
                quantity: 1,
                amountMinor: 11280,
                included: false,
              },
              {
                kind: 'tax',
                code: 'VAT',
                label: 'Value added tax',
                quantity: 1,
                amountMinor: 6204,
                included: false,
              },
              {
                kind: 'tax',
                code: 'TOURISM-DIRHAM',
                label: 'Tourism dirham',
                quantity: 2,
                amountMinor: 3000,
                included: false,
              },
            ],
            roomsLeft: 20,
            digest: 'sha256:7e08e85733ec36b23c02e419c0c4c91f03bc5302d0f2d18b7cbb9df5dce1baa4',
          },
        },
        {
          roomTypeId: 'rmt_01JGFJJZ00W8RASN9J3M9GJ7X0',
          roomTypeName: 'King room',
          ratePlanId: 'rate_24M6PN10XRZM0MD6GZBP04CP0M',
          ratePlanCode: 'WEEK',
          ratePlanName: 'Weekly rate',
          category: 'weekly',
          board: 'breakfast',
          cancellation: {
            kind: 'partial',
            freeUntil: '2027-05-17T08:00:00.000Z',
            freeUntilHours: 72,
            penaltyBasisPoints: 5000,
          },
          payment: {
            timing: 'either',
            depositBasisPoints: 0,
          },
          minNights: 7,
          maxNights: 90,
          advanceDaysMin: 0,
          availability: {
            bookable: false,
            reason: 'min_nights',
          },
        },
      ],
    },
  ],
  paymentMethods: ['card', 'cash_on_arrival'],
  policies: POLICIES,
  handoffHint: {
    url: '/bff/consumer/v1/handoff/tnt_01JGFJJZ007BWH85T2P5075HP0/ppt_01JGFJJZ00FEZX5NKGQTQDJ3B0',
    ttlSeconds: 1800,
  },
}
