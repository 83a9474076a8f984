import type { OperationExamples } from '@melmastoon/chassis/http'
import { CONFIRMATION_LINK, PROPERTY_ID, RESERVATION_ID, ROOM_TYPE_ID } from './example-stay.ts'

const CONFIRMATION = {
  reservationId: RESERVATION_ID,
  code: 'ARD6ZHH6',
  status: 'confirmed',
  confirmedAt: '2026-11-16T02:40:25.540Z',
  cancelledAt: null,
  stay: {
    checkIn: {
      date: '2027-05-20',
      time: '14:00',
      at: '2027-05-20T10:00:00.000Z',
    },
    checkOut: {
      date: '2027-05-22',
      time: '11:00',
      at: '2027-05-22T07:00:00.000Z',
    },
    nights: 2,
    timeZone: 'Asia/Dubai',
  },
  property: {
    propertyId: PROPERTY_ID,
    name: 'Creek Pearl Hotel Deira',
    address: {
      line: 'House 41, Street 23, Deira, Dubai',
      nativeLine: 'شارع 23، مبنى 41، دبي',
      city: 'Dubai',
      country: 'AE',
    },
    geo: {
      lat: 25.20143,
      lng: 55.32699,
    },
    photo: {
      url: 'https://media.example.com/photos/pht_01JGFJJZ00FEZX5NKGQTQDJ3B0.svg',
      alt: 'Creek Pearl Hotel Deira, seen from the street',
    },
    houseRules: [
      {
        code: 'no-smoking',
        text: 'No smoking in the rooms',
      },
    ],
  },
  rooms: [
    {
      roomTypeId: ROOM_TYPE_ID,
      name: 'King room',
      rooms: 1,
    },
  ],
  occupancy: {
    adults: 2,
    children: 0,
    rooms: 1,
  },
  price: {
    total: {
      amountMinor: 103319,
      currency: 'AED',
    },
    display: null,
    lines: [
      {
        kind: 'night',
        label: 'Night',
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
        label: 'Night',
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
        label: 'Municipality fee',
        night: null,
        quantity: 1,
        amount: {
          amountMinor: 8686,
          currency: 'AED',
        },
        included: false,
      },
      {
        kind: 'tax',
        label: 'Value added tax',
        night: null,
        quantity: 1,
        amount: {
          amountMinor: 4777,
          currency: 'AED',
        },
        included: false,
      },
      {
        kind: 'tax',
        label: 'Tourism dirham',
        night: null,
        quantity: 2,
        amount: {
          amountMinor: 3000,
          currency: 'AED',
        },
        included: false,
      },
    ],
  },
  payment: {
    method: 'cash_on_arrival',
    status: 'pay_at_hotel',
    paid: {
      amountMinor: 0,
      currency: 'AED',
    },
    refunded: {
      amountMinor: 0,
      currency: 'AED',
    },
    dueAtHotel: {
      amountMinor: 103319,
      currency: 'AED',
    },
  },
  cancellation: {
    kind: 'none',
    freeUntilHours: 0,
    penaltyBasisPoints: 10000,
  },
  guest: {
    isMasked: false,
    fullName: 'Zarghuna Anaa',
    email: 'zarghuna@example.com',
    phone: '+93701234567',
  },
  voucher: {
    code: 'ARD6ZHH6',
    qrText: 'MELMASTOON/1/ARD6ZHH6',
    direction: 'ltr',
    title: 'Booking confirmation',
    note: 'Please show this page and your passport or tazkira at the front desk.',
    rows: [
      {
        label: 'Booking code',
        value: 'ARD6ZHH6',
      },
      {
        label: 'Hotel',
        value: 'Creek Pearl Hotel Deira',
      },
      {
        label: 'Address',
        value: 'House 41, Street 23, Deira, Dubai',
      },
    ],
  },
  links: {
    confirmation: CONFIRMATION_LINK,
    calendarFile:
      'https://creek-pearl.melmastoon.ghasi.io/api/confirmation/rsv_01M7H3MADC6XM9J5NXD2VJ971D/calendar.ics?t=1.c1.1812020800.aaujblDznzKSrCHuQKBNFnR6U9JJMaH6bKHLiXJg_p8',
    googleCalendar:
      'https://calendar.google.com/calendar/render?action=TEMPLATE&text=Creek+Pearl+Hotel+Deira&dates=20270520T100000Z%2F20270522T070000Z&location=House+41%2C+Street+23%2C+Deira%2C+Dubai',
  },
  sections: {
    reservation: {
      status: 'fresh',
      ageMs: 0,
    },
    property: {
      status: 'fresh',
      ageMs: 0,
    },
    price: {
      status: 'fresh',
      ageMs: 0,
    },
    payment: {
      status: 'fresh',
      ageMs: 0,
    },
    guest: {
      status: 'fresh',
      ageMs: 0,
    },
  },
  degraded: false,
}

const CALENDAR = [
  'BEGIN:VCALENDAR',
  'VERSION:2.0',
  'PRODID:-//Melmastoon//Booking//EN',
  'METHOD:PUBLISH',
  'BEGIN:VEVENT',
  'UID:rsv_01M7H3MADC6XM9J5NXD2VJ971D@melmastoon.ghasi.io',
  'SEQUENCE:3',
  'DTSTAMP:20261116T024025Z',
  'DTSTART:20270520T100000Z',
  'DTEND:20270522T070000Z',
  'SUMMARY:Creek Pearl Hotel Deira',
  'LOCATION:House 41\\, Street 23\\, Deira\\, Dubai',
  'GEO:25.20143;55.32699',
  'DESCRIPTION:Booking code: ARD6ZHH6\\nCheck-in: 2027-05-20 14:00 (Asia/Dubai',
  ' )\\nCheck-out: 2027-05-22 11:00 (Asia/Dubai)',
  'URL;VALUE=URI:https://creek-pearl.melmastoon.ghasi.io',
  'STATUS:CONFIRMED',
  'END:VEVENT',
  'END:VCALENDAR',
].join('\r\n')

const parameters = { reservationId: RESERVATION_ID }

/** Of a confirmed stay. */
export const confirmationExamples = {
  'booking.confirmation.read': { parameters, responses: { 200: CONFIRMATION } },
  'booking.confirmation.calendar': { parameters, responses: { 200: CALENDAR } },
} as const satisfies Readonly<Record<string, OperationExamples>>
