import { type Static, Type } from 'typebox'
import {
  id,
  instant,
  isoDate,
  locale,
  MicroMoney,
  ResourceHistory,
  StaffChange,
  text,
} from '../schemas.ts'
import { ReservationParams, Status } from './schemas.ts'

export const STAY_VIEWS = ['arrivals', 'departures', 'in_house'] as const
export type StayView = (typeof STAY_VIEWS)[number]

/** Overdue: the day of arrival or departure has passed at the hotel. */
export const STAY_FLAGS = [
  'room_unassigned',
  'overdue_arrival',
  'overdue_departure',
  'special_requests',
  'prepaid',
] as const
export type StayFlag = (typeof STAY_FLAGS)[number]

const count = (maximum: number) => Type.Integer({ minimum: 0, maximum })

/** A reservation as the staff of its hotel sees it: the only response with guest data. */
export const StaffStay = Type.Object({
  reservationId: id('rsv'),
  code: Type.String({ pattern: '^[2-9A-HJ-NP-Z]{8}$' }),
  propertyId: id('ppt'),
  status: Status,
  version: Type.Integer({ minimum: 1 }),
  updatedAt: instant(),
  checkIn: isoDate(),
  checkOut: isoDate(),
  nights: Type.Integer({ minimum: 1 }),
  items: Type.Array(Type.Object({ roomTypeId: id('rmt'), rooms: Type.Integer({ minimum: 1 }) }), {
    minItems: 1,
    maxItems: 10,
  }),
  /** The assigned rooms; fewer than booked until all are assigned. */
  rooms: Type.Array(Type.Object({ roomId: id('rmu'), roomTypeId: id('rmt'), number: text(20) }), {
    maxItems: 100,
  }),
  guest: Type.Object({
    guestId: Type.Optional(id('gst')),
    fullName: text(120),
    phone: Type.Optional(text(20)),
    locale: locale(),
    arrivalTime: Type.Optional(text(5)),
    specialRequests: Type.Optional(text(1_000)),
  }),
  party: Type.Object({ adults: count(300), children: count(200) }),
  total: MicroMoney,
  paymentMethod: Type.Optional(text(40)),
  /** Its folio; missing for a reservation that never had one. */
  folioId: Type.Optional(id('fol')),
  flags: Type.Array(Type.Enum([...STAY_FLAGS]), { maxItems: STAY_FLAGS.length }),
})
export type StaffStay = Static<typeof StaffStay>

export const StayDetail = Type.Object({
  ...StaffStay.properties,
  history: ResourceHistory(Status),
})
export type StayDetail = Static<typeof StayDetail>

export const NightOccupancy = Type.Object({
  night: isoDate(),
  /** The rooms of the hotel, whether for sale or not. */
  rooms: Type.Integer({ minimum: 0 }),
  sold: Type.Integer({ minimum: 0 }),
  /** Rooms that are taken from this date, and left on it. */
  arrivals: Type.Integer({ minimum: 0 }),
  departures: Type.Integer({ minimum: 0 }),
})
export type NightOccupancy = Static<typeof NightOccupancy>

const PropertyParams = Type.Object({ propertyId: id('ppt') })
const RoomIds = Type.Array(id('rmu'), { minItems: 1, maxItems: 100, uniqueItems: true })

const change = {
  method: 'POST',
  params: ReservationParams,
  response: StayDetail,
  tenantScoped: true,
  idempotent: true,
} as const

/** Lists by day, rooms, check-in and check-out: what the staff of the hotel does. */
export const staffOperations = {
  listForDay: {
    method: 'GET',
    path: '/properties/:propertyId/stays',
    summary:
      'The arrivals, departures or guests in house of a day, by id; arrivals and departures of today include overdue ones',
    params: PropertyParams,
    query: Type.Object({
      view: Type.Enum([...STAY_VIEWS]),
      date: isoDate(),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 200 })),
      /** The `nextCursor` of the previous page. */
      cursor: Type.Optional(id('rsv')),
    }),
    response: Type.Object({
      propertyId: id('ppt'),
      view: Type.Enum([...STAY_VIEWS]),
      date: isoDate(),
      /** The current date at the hotel. */
      today: isoDate(),
      stays: Type.Array(StaffStay, { maxItems: 200 }),
      nextCursor: Type.Optional(id('rsv')),
    }),
    tenantScoped: true,
    errorCodes: ['MELMASTOON.PROPERTY.NOT_FOUND', 'MELMASTOON.RESERVATION.DATES_INVALID'],
  },
  occupancy: {
    method: 'GET',
    path: '/properties/:propertyId/occupancy',
    summary: 'Rooms sold, arrivals and departures per night, from `from` to the night before `to`',
    params: PropertyParams,
    query: Type.Object({ from: isoDate(), to: isoDate() }),
    response: Type.Object({
      propertyId: id('ppt'),
      nights: Type.Array(NightOccupancy, { maxItems: 366 }),
      capturedAt: instant(),
    }),
    tenantScoped: true,
    errorCodes: ['MELMASTOON.PROPERTY.NOT_FOUND', 'MELMASTOON.RESERVATION.DATES_INVALID'],
  },
  getStay: {
    method: 'GET',
    path: '/stays/:reservationId',
    summary: 'A reservation with its guest, rooms and history',
    params: ReservationParams,
    response: StayDetail,
    tenantScoped: true,
    errorCodes: ['MELMASTOON.RESERVATION.NOT_FOUND'],
  },
  availableRooms: {
    method: 'GET',
    path: '/stays/:reservationId/available-rooms',
    summary: 'The rooms of the booked types that no other stay has in these nights',
    params: ReservationParams,
    response: Type.Object({
      rooms: Type.Array(
        Type.Object({
          roomId: id('rmu'),
          roomTypeId: id('rmt'),
          number: text(20),
          floor: Type.Integer(),
          /** Whether a guest can move in now. */
          isReady: Type.Boolean(),
        }),
        { maxItems: 1_000 },
      ),
    }),
    tenantScoped: true,
    errorCodes: ['MELMASTOON.RESERVATION.NOT_FOUND'],
  },
  assignRooms: {
    ...change,
    path: '/reservations/:reservationId/rooms',
    summary: 'Assign rooms before arrival, or move guests in house; replaces the assigned rooms',
    body: Type.Object({ roomIds: RoomIds, ...StaffChange }),
    errorCodes: [
      'MELMASTOON.RESERVATION.NOT_FOUND',
      'MELMASTOON.RESERVATION.ILLEGAL_TRANSITION',
      'MELMASTOON.RESERVATION.VERSION_CONFLICT',
      'MELMASTOON.RESERVATION.ROOM_NOT_AVAILABLE',
      'MELMASTOON.RESERVATION.ROOM_NOT_READY',
      'MELMASTOON.RESERVATION.ROOMS_MISMATCH',
    ],
  },
  checkIn: {
    ...change,
    path: '/reservations/:reservationId/check-in',
    summary: 'Check guests in, from the day of arrival on, in the assigned or the given rooms',
    /** Without `roomIds` all rooms must have been assigned. */
    body: Type.Object({ roomIds: Type.Optional(RoomIds), ...StaffChange }),
    errorCodes: [
      'MELMASTOON.RESERVATION.NOT_FOUND',
      'MELMASTOON.RESERVATION.ILLEGAL_TRANSITION',
      'MELMASTOON.RESERVATION.VERSION_CONFLICT',
      'MELMASTOON.RESERVATION.ROOM_NOT_AVAILABLE',
      'MELMASTOON.RESERVATION.ROOM_NOT_READY',
      'MELMASTOON.RESERVATION.ROOMS_MISMATCH',
    ],
  },
  checkOut: {
    ...change,
    path: '/reservations/:reservationId/check-out',
    summary: 'Check guests out; their rooms can be assigned again from today',
    body: Type.Object(StaffChange),
    errorCodes: [
      'MELMASTOON.RESERVATION.NOT_FOUND',
      'MELMASTOON.RESERVATION.ILLEGAL_TRANSITION',
      'MELMASTOON.RESERVATION.VERSION_CONFLICT',
    ],
  },
  markNoShow: {
    ...change,
    path: '/reservations/:reservationId/no-show',
    summary: 'Record, from the day of arrival on, that guests have not arrived; frees their rooms',
    body: Type.Object(StaffChange),
    errorCodes: [
      'MELMASTOON.RESERVATION.NOT_FOUND',
      'MELMASTOON.RESERVATION.ILLEGAL_TRANSITION',
      'MELMASTOON.RESERVATION.VERSION_CONFLICT',
    ],
  },
} as const
