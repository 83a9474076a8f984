import { type Static, Type } from 'typebox'
import { defineContract } from '../contract.ts'
import { id, instant, isoDate, Stay, text } from '../schemas.ts'

/** `active`: held until `expiresAt`. The other three are final. */
export const ALLOCATION_STATES = ['active', 'committed', 'released', 'expired'] as const

export const AllocationItem = Type.Object({
  roomTypeId: id('rmt'),
  rooms: Type.Integer({ minimum: 1, maximum: 10 }),
})

export type AllocationItem = Static<typeof AllocationItem>

/** Rooms of one hotel for one stay: a hold while active, sold once committed. */
export const Allocation = Type.Object({
  allocationId: id('inv'),
  tenantId: id('tnt'),
  propertyId: id('ppt'),
  reservationId: Type.Optional(id('rsv')),
  holder: text(100),
  state: Type.Enum([...ALLOCATION_STATES]),
  stay: Stay,
  /** One per room type, in the order of their ids. */
  items: Type.Array(AllocationItem, { minItems: 1, maxItems: 10 }),
  createdAt: instant(),
  /** By the database clock, which also decides after this was read. */
  expiresAt: instant(),
  extensions: Type.Integer({ minimum: 0 }),
  extensionsLeft: Type.Integer({ minimum: 0 }),
})

export type Allocation = Static<typeof Allocation>

const Night = Type.Object({
  night: isoDate(),
  capacity: Type.Integer({ minimum: 0 }),
  held: Type.Integer({ minimum: 0 }),
  sold: Type.Integer({ minimum: 0 }),
  available: Type.Integer({ minimum: 0 }),
})

const AllocationParams = Type.Object({ allocationId: id('inv') })

export const inventoryContract = defineContract({
  upstream: 'inventory',
  basePath: '/api/v1',
  operations: {
    availability: {
      method: 'GET',
      path: '/inventory/availability',
      summary: 'Rooms per room type and night, from `from` to the night before `to`',
      query: Type.Object({ propertyId: id('ppt'), from: isoDate(), to: isoDate() }),
      response: Type.Object({
        propertyId: id('ppt'),
        roomTypes: Type.Array(
          Type.Object({ roomTypeId: id('rmt'), nights: Type.Array(Night, { maxItems: 92 }) }),
        ),
        capturedAt: instant(),
      }),
      tenantScoped: true,
      errorCodes: ['MELMASTOON.PROPERTY.NOT_FOUND', 'MELMASTOON.INVENTORY.STAY_INVALID'],
    },
    placeHold: {
      method: 'POST',
      path: '/inventory/holds',
      summary: 'Hold rooms for some minutes: all of them or none',
      status: 201,
      body: Type.Object({
        propertyId: id('ppt'),
        items: Type.Array(AllocationItem, { minItems: 1, maxItems: 10 }),
        stay: Stay,
        /** The holder; has at most one active hold. */
        holder: text(100),
        /** The guest session; has a limited number of active holds. */
        session: Type.Optional(text(100)),
        reservationId: Type.Optional(id('rsv')),
      }),
      response: Allocation,
      tenantScoped: true,
      idempotent: true,
      errorCodes: [
        'MELMASTOON.INVENTORY.STAY_INVALID',
        'MELMASTOON.INVENTORY.ROOM_TYPE_NOT_FOUND',
        'MELMASTOON.INVENTORY.INSUFFICIENT_AVAILABILITY',
        'MELMASTOON.INVENTORY.HOLD_LIMIT_REACHED',
      ],
    },
    getHold: {
      method: 'GET',
      path: '/inventory/holds/:allocationId',
      summary: 'Get a hold, also after it has expired',
      params: AllocationParams,
      response: Allocation,
      tenantScoped: true,
      errorCodes: ['MELMASTOON.INVENTORY.HOLD_NOT_FOUND'],
    },
    extendHold: {
      method: 'POST',
      path: '/inventory/holds/:allocationId/extend',
      summary: 'Extend an active hold by its full duration',
      params: AllocationParams,
      body: Type.Object({}),
      response: Allocation,
      tenantScoped: true,
      idempotent: true,
      errorCodes: [
        'MELMASTOON.INVENTORY.HOLD_NOT_FOUND',
        'MELMASTOON.INVENTORY.HOLD_EXPIRED',
        'MELMASTOON.INVENTORY.HOLD_SETTLED',
        'MELMASTOON.INVENTORY.HOLD_OF_RESERVATION',
        'MELMASTOON.INVENTORY.EXTENSION_REFUSED',
      ],
    },
    commitHold: {
      method: 'POST',
      path: '/inventory/holds/:allocationId/commit',
      summary: 'Commit an active hold: its rooms are sold',
      params: AllocationParams,
      body: Type.Object({}),
      response: Allocation,
      tenantScoped: true,
      idempotent: true,
      errorCodes: [
        'MELMASTOON.INVENTORY.HOLD_NOT_FOUND',
        'MELMASTOON.INVENTORY.HOLD_EXPIRED',
        'MELMASTOON.INVENTORY.HOLD_SETTLED',
        'MELMASTOON.INVENTORY.HOLD_OF_RESERVATION',
      ],
    },
    releaseHold: {
      method: 'POST',
      path: '/inventory/holds/:allocationId/release',
      summary: 'Release held or sold rooms',
      params: AllocationParams,
      body: Type.Object({}),
      response: Allocation,
      tenantScoped: true,
      idempotent: true,
      errorCodes: [
        'MELMASTOON.INVENTORY.HOLD_NOT_FOUND',
        'MELMASTOON.INVENTORY.HOLD_EXPIRED',
        'MELMASTOON.INVENTORY.HOLD_SETTLED',
        'MELMASTOON.INVENTORY.HOLD_OF_RESERVATION',
      ],
    },
    changeCapacity: {
      method: 'POST',
      path: '/inventory/room-types/:roomTypeId/capacity',
      summary:
        'Set the capacity of a room type for the nights from `from` to the night before `to`',
      params: Type.Object({ roomTypeId: id('rmt') }),
      body: Type.Object({
        from: isoDate(),
        to: isoDate(),
        capacity: Type.Integer({ minimum: 0, maximum: 1_000 }),
      }),
      response: Type.Object({
        roomTypeId: id('rmt'),
        from: isoDate(),
        to: isoDate(),
        capacity: Type.Integer(),
      }),
      tenantScoped: true,
      idempotent: true,
      errorCodes: [
        'MELMASTOON.INVENTORY.STAY_INVALID',
        'MELMASTOON.INVENTORY.ROOM_TYPE_NOT_FOUND',
        'MELMASTOON.INVENTORY.BELOW_COMMITTED',
      ],
    },
    assignRoom: {
      method: 'POST',
      path: '/inventory/allocations/:allocationId/rooms',
      summary: 'Assign a room to an allocation; a room is never assigned twice for a night',
      params: AllocationParams,
      body: Type.Object({ roomId: id('rmu') }),
      response: Type.Object({ allocationId: id('inv'), roomId: id('rmu'), stay: Stay }),
      tenantScoped: true,
      idempotent: true,
      errorCodes: [
        'MELMASTOON.INVENTORY.HOLD_NOT_FOUND',
        'MELMASTOON.INVENTORY.HOLD_SETTLED',
        'MELMASTOON.INVENTORY.ROOM_NOT_FOUND',
        'MELMASTOON.INVENTORY.ROOM_TAKEN',
        'MELMASTOON.INVENTORY.ROOMS_ASSIGNED',
      ],
    },
  },
})
