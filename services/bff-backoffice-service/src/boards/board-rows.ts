import { idPattern } from '@melmastoon/domain'
import { named } from '@melmastoon/upstream-contracts'
import {
  ROOM_CONDITIONS,
  ROOM_FLAGS,
  ROOM_OCCUPANCIES,
  TASK_KINDS,
  TASK_PRIORITIES,
  TASK_STATUSES,
} from '@melmastoon/upstream-contracts/housekeeping'
import {
  Assignee,
  SEVERITIES,
  WORK_ORDER_CATEGORIES,
  WORK_ORDER_STATUSES,
} from '@melmastoon/upstream-contracts/maintenance'
import { RESERVATION_STATUSES, STAY_FLAGS } from '@melmastoon/upstream-contracts/reservation'
import { type Static, Type } from 'typebox'
import { BOARDS } from './board-key.ts'

const text = (description?: string) => Type.String(description === undefined ? {} : { description })
const date = () => Type.String({ format: 'date' })
const instant = () => Type.String({ format: 'date-time' })
const count = (description: string) => Type.Integer({ minimum: 0, description })

/** Amounts are integers in minor units (D7). */
const Money = Type.Object({ amount: Type.Integer(), currency: Type.String() })

const ACTIONS = [
  'check_in',
  'check_out',
  'issue_key',
  'revoke_key',
  'post_charge',
  'task_start',
  'task_complete',
  'task_inspect',
  'work_order_assign',
  'work_order_resolve',
  'work_order_verify',
] as const

export type RowAction = (typeof ACTIONS)[number]

const common = {
  version: Type.Integer({ minimum: 1, description: 'Of the object, for optimistic concurrency' }),
  updatedAt: instant(),
  allowedActions: Type.Array(Type.Enum([...ACTIONS]), {
    description: 'What this operator may do with the object as it is',
  }),
}

const Room = Type.Object({
  roomId: Type.String({ pattern: idPattern('rmu') }),
  number: Type.String(),
  condition: Type.Optional(Type.Enum([...ROOM_CONDITIONS])),
  ready: Type.Optional(
    Type.Boolean({
      description:
        'Clean or inspected, vacant and not blocked. Not for guests who are in their room',
    }),
  ),
})

export const StayRow = named(
  'StayRow',
  Type.Object({
    id: Type.String({ pattern: idPattern('rsv') }),
    ...common,
    code: Type.Optional(text('What the guest shows at the desk. Not for housekeeping')),
    status: Type.Enum([...RESERVATION_STATUSES]),
    checkIn: date(),
    checkOut: date(),
    nights: Type.Integer({ minimum: 1 }),
    nightsLeft: Type.Integer({ minimum: 0, description: 'From the date of the board' }),
    guest: Type.Optional(
      Type.Object(
        {
          fullName: text(),
          phone: Type.Optional(text()),
          locale: text(),
          requests: Type.Optional(text()),
        },
        { description: 'Not for housekeeping' },
      ),
    ),
    party: Type.Object({ adults: Type.Integer(), children: Type.Integer() }),
    eta: Type.Optional(text('When the guest expects to arrive, at the hotel: `16:30`')),
    checkOutTime: text('Until when the room is theirs'),
    roomTypes: Type.Array(Type.Object({ roomTypeId: text(), rooms: Type.Integer() })),
    rooms: Type.Array(Room),
    readiness: Type.Enum(['ready', 'not_ready', 'unassigned', 'unknown', 'occupied'], {
      description: '`occupied`: the guest of this stay is in the room',
    }),
    dnd: Type.Optional(Type.Boolean({ description: 'A room is marked "do not disturb"' })),
    folioId: Type.Optional(text('Not for housekeeping')),
    folioStatus: Type.Optional(text('Not for housekeeping')),
    balance: Type.Optional(Money),
    keyState: Type.Optional(
      Type.Enum(['none', 'pending', 'active', 'unknown'], { description: 'Not for housekeeping' }),
    ),
    keyIds: Type.Optional(
      Type.Array(text(), { description: 'Keys that still open a room. Not for housekeeping' }),
    ),
    flags: Type.Array(Type.Enum([...STAY_FLAGS])),
  }),
)
export type StayRow = Static<typeof StayRow>

export const RoomRow = named(
  'RoomRow',
  Type.Object({
    id: Type.String({ pattern: idPattern('rmu') }),
    ...common,
    number: text(),
    floor: Type.Integer(),
    roomTypeId: text(),
    condition: Type.Enum([...ROOM_CONDITIONS]),
    occupancy: Type.Enum([...ROOM_OCCUPANCIES]),
    flags: Type.Array(Type.Enum([...ROOM_FLAGS])),
    discrepancy: Type.Boolean(),
    task: Type.Optional(
      Type.Object({
        taskId: text(),
        kind: Type.Enum([...TASK_KINDS]),
        priority: Type.Enum([...TASK_PRIORITIES]),
        status: Type.Enum([...TASK_STATUSES]),
        version: Type.Integer(),
      }),
    ),
    nextArrival: Type.Optional(Type.Object({ reservationId: text(), eta: Type.Optional(text()) })),
  }),
)
export type RoomRow = Static<typeof RoomRow>

export const WorkOrderRow = named(
  'WorkOrderRow',
  Type.Object({
    id: Type.String({ pattern: idPattern('mnt') }),
    ...common,
    status: Type.Enum([...WORK_ORDER_STATUSES]),
    severity: Type.Enum([...SEVERITIES]),
    category: Type.Enum([...WORK_ORDER_CATEGORIES]),
    title: text(),
    roomId: Type.Optional(text()),
    roomNumber: Type.Optional(text()),
    assignee: Type.Optional(Assignee),
    createdAt: instant(),
    blocksRoom: Type.Boolean(),
  }),
)
export type WorkOrderRow = Static<typeof WorkOrderRow>

/** One tile of the day: the counts of a board. */
export const TodayRow = named(
  'TodayRow',
  Type.Object({
    id: Type.Enum(['arrivals', 'departures', 'in_house', 'housekeeping', 'maintenance']),
    counts: Type.Record(Type.String(), count('By state; which there are depends on the board')),
  }),
)
export type TodayRow = Static<typeof TodayRow>

export type BoardRow = StayRow | RoomRow | WorkOrderRow | TodayRow

/** @param name of the schema in the OpenAPI document. */
export function boardSchema<S extends Type.TSchema>(name: string, row: S) {
  return named(
    name,
    Type.Object({
      board: Type.Enum([...BOARDS]),
      propertyId: Type.String({ pattern: idPattern('ppt') }),
      businessDate: Type.String({ format: 'date', description: 'The date at the hotel' }),
      asOf: Type.String({ format: 'date-time', description: 'When the oldest part was read' }),
      ageMs: count('Of `asOf`, when this response was sent'),
      source: Type.Enum(['live', 'cache', 'stale'], {
        description: 'Read now, from a cache, or older because an upstream does not respond',
      }),
      rows: Type.Array(row, {
        description: 'A page of the board, or the rows that changed since `since`',
      }),
      page: Type.Object({
        total: count('Rows of the whole board'),
        nextCursor: Type.Union([Type.String(), Type.Null()], {
          description: 'For `cursor` of the next request; null: there are no more pages',
        }),
      }),
      delta: Type.Object({
        cursor: Type.String({ description: 'For `since` of the next request' }),
        full: Type.Boolean({
          description:
            'The rows are the board, or a page of it: the first page replaces what the client has, later pages add to it. Otherwise they are changes.',
        }),
        removed: Type.Array(Type.String(), { description: 'Ids of rows that no longer exist' }),
      }),
      degraded: Type.Array(Type.String(), {
        description: 'Upstreams that did not respond: their fields are missing',
      }),
    }),
  )
}
