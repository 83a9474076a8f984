import { defineEvent } from '@melmastoon/events'
import { Type } from 'typebox'
import { causationId, closed, code, id, instant, isoDate, Money, version } from './fields.ts'

const STAY_FIELDS = [
  'propertyId',
  'roomTypeId',
  'reservationId',
  'allocationId',
  'checkIn',
  'checkOut',
  'rooms',
]

const Allocation = closed({
  tenantId: id('tnt'),
  propertyId: id('ppt'),
  roomTypeId: id('rmt'),
  allocationId: id('inv'),
  reservationId: Type.Union([id('rsv'), Type.Null()]),
  checkIn: isoDate(),
  checkOut: isoDate(),
  rooms: Type.Integer({ minimum: 1 }),
})

const allocationEvent = {
  version: 1,
  producer: 'inventory-service',
  retentionClass: 'operational',
  retentionDays: 90,
  sampleRate: 1,
  piiAllowed: STAY_FIELDS,
  payload: Allocation,
  orderingKey: (payload: { allocationId: string }) => payload.allocationId,
} as const

/** Rooms are held for some minutes. */
export const allocationRequested = defineEvent({
  ...allocationEvent,
  subject: 'melmastoon.inventory.allocation.requested.v1',
})

/**
 * Rooms are sold. The seeds of the producer also call it `confirmed`; the seeds' subject is used
 * (D19).
 */
export const allocationCommitted = defineEvent({
  ...allocationEvent,
  subject: 'melmastoon.inventory.allocation.committed.v1',
})

/**
 * The same event under the producer's other name: consumers handle both alike (D19). The sandbox
 * does not publish it.
 */
export const allocationConfirmed = defineEvent({
  ...allocationEvent,
  subject: 'melmastoon.inventory.allocation.confirmed.v1',
})

/** Rooms are available again, by expiry or cancellation. */
export const allocationReleased = defineEvent({
  ...allocationEvent,
  subject: 'melmastoon.inventory.allocation.released.v1',
})

/** More or fewer rooms of a type are for sale in the nights from `from` until before `to`. */
export const capacityChanged = defineEvent({
  version: 1,
  producer: 'inventory-service',
  retentionClass: 'operational',
  retentionDays: 90,
  sampleRate: 1,
  subject: 'melmastoon.inventory.capacity.changed.v1',
  piiAllowed: ['propertyId', 'roomTypeId', 'from', 'to', 'capacity'],
  payload: closed({
    tenantId: id('tnt'),
    propertyId: id('ppt'),
    roomTypeId: id('rmt'),
    from: isoDate(),
    to: isoDate(),
    capacity: Type.Integer({ minimum: 0 }),
  }),
  orderingKey: (payload) => payload.roomTypeId,
})

const reservationEvent = {
  version: 1,
  producer: 'reservation-service',
  retentionClass: 'regulated',
  retentionDays: 2_557,
  sampleRate: 1,
} as const

const Reservation = {
  tenantId: id('tnt'),
  propertyId: id('ppt'),
  reservationId: id('rsv'),
  priorStatus: Type.Union([code(), Type.Null()]),
  status: code(),
  occurredAt: instant(),
}

const RESERVATION_FIELDS = ['propertyId', 'reservationId', 'priorStatus', 'status', 'occurredAt']

export const reservationHeld = defineEvent({
  ...reservationEvent,
  subject: 'melmastoon.reservation.held.v1',
  piiAllowed: [...RESERVATION_FIELDS, 'holdExpiresAt'],
  payload: closed({ ...Reservation, holdExpiresAt: instant() }),
  orderingKey: (payload) => payload.reservationId,
})

export const reservationHoldExpired = defineEvent({
  ...reservationEvent,
  retentionClass: 'operational',
  retentionDays: 365,
  subject: 'melmastoon.reservation.hold_expired.v1',
  piiAllowed: RESERVATION_FIELDS,
  payload: closed(Reservation),
  orderingKey: (payload) => payload.reservationId,
})

export const reservationConfirmed = defineEvent({
  ...reservationEvent,
  subject: 'melmastoon.reservation.confirmed.v1',
  piiAllowed: [...RESERVATION_FIELDS, 'amountMicro'],
  payload: closed({ ...Reservation, total: Money }),
  orderingKey: (payload) => payload.reservationId,
})

export const reservationCancelled = defineEvent({
  ...reservationEvent,
  subject: 'melmastoon.reservation.cancelled.v1',
  piiAllowed: [...RESERVATION_FIELDS, 'reasonCode'],
  payload: closed({ ...Reservation, reasonCode: code() }),
  orderingKey: (payload) => payload.reservationId,
})

/** By the staff of the hotel: with the version of the reservation and what caused the change. */
const StaffChange = {
  ...Reservation,
  version: version(),
  causationId: causationId(),
  roomIds: Type.Array(id('rmu'), { maxItems: 100 }),
}

const staffEvent = {
  ...reservationEvent,
  piiAllowed: [...RESERVATION_FIELDS, 'version', 'causationId', 'roomIds'],
  payload: closed(StaffChange),
  orderingKey: (payload: { reservationId: string }) => payload.reservationId,
} as const

export const reservationCheckedIn = defineEvent({
  ...staffEvent,
  subject: 'melmastoon.reservation.checked_in.v1',
  piiAllowed: [...staffEvent.piiAllowed, 'amountMicro'],
  payload: closed({ ...StaffChange, total: Money }),
})

/** `roomIds` are the rooms that the guests have left. */
export const reservationCheckedOut = defineEvent({
  ...staffEvent,
  subject: 'melmastoon.reservation.checked_out.v1',
})

export const reservationNoShow = defineEvent({
  ...staffEvent,
  subject: 'melmastoon.reservation.no_show.v1',
})

/** `roomIds` are the assigned rooms, `priorRoomIds` those before. */
export const reservationRoomAssigned = defineEvent({
  ...staffEvent,
  retentionClass: 'operational',
  retentionDays: 365,
  subject: 'melmastoon.reservation.room_assigned.v1',
  piiAllowed: [...staffEvent.piiAllowed, 'priorRoomIds'],
  payload: closed({ ...StaffChange, priorRoomIds: Type.Array(id('rmu'), { maxItems: 100 }) }),
})
