import { type Id, idPattern, type ReservationId } from '@melmastoon/domain'
import type { ReservationStatus } from '@melmastoon/upstream-contracts/reservation'
import { type TSchema, Type } from 'typebox'
import {
  CHECK_IN_PROBLEMS,
  CHECK_OUT_PROBLEMS,
  checkIn,
  checkOut,
  type StayDeps,
} from '../desk/change-stay.ts'
import { passing } from '../upstreams/staff-change.ts'
import { defineIntent, type IntentDefinition } from './define-intent.ts'
import { isMadeBy, makerOf, newerThan } from './resource-history.ts'
import { ExpectVersion, NoArgs } from './task-intents.ts'

const IN_HOUSE = ['checked_in', 'in_house'] as const satisfies readonly ReservationStatus[]
const OUT = ['checked_out'] as const satisfies readonly ReservationStatus[]

type Stay = Awaited<ReturnType<StayDeps['upstreams']['reservation']['getStay']>>
type Part = 'activity' | 'resource' | 'expect' | 'read' | 'propertyOf' | 'isOwn' | 'unexpected'

const stay: Pick<IntentDefinition<StayDeps, typeof ExpectVersion, TSchema, Stay>, Part> = {
  activity: { category: 'desk', resourceKind: 'reservation' },
  resource: 'rsv',
  expect: ExpectVersion,
  read({ upstreams }, { resourceId, actor: { tenantId } }, call) {
    const params = { reservationId: resourceId as ReservationId }
    return upstreams.reservation.getStay({ params }, { ...call, tenantId }).catch(passing([]))
  },
  propertyOf: ({ propertyId }) => propertyId,
  isOwn: (found, { causationId }) => isMadeBy(found, causationId),
  unexpected: (found, { expect }) => newerThan(found, expect.version),
}

const CheckInArgs = Type.Object(
  {
    roomIds: Type.Optional(
      Type.Array(Type.Unsafe<Id<'rmu'>>(Type.String({ pattern: idPattern('rmu') })), {
        minItems: 1,
        maxItems: 100,
        uniqueItems: true,
      }),
    ),
  },
  { additionalProperties: false },
)

/** Without a key, which is never issued offline. */
const checkInIntent = defineIntent({
  ...stay,
  name: 'reservation.check_in',
  operation: 'staff.reservation.check-in',
  args: CheckInArgs,
  // In other rooms than the device named, its goal does not hold.
  done: (found, { args }) => (hasRooms(found, args.roomIds) ? makerOf(found, IN_HOUSE) : null),
  apply(deps, { resourceId, expect, args, causationId, actor }, call) {
    const change = { actor, causationId, expectedVersion: expect.version }
    const reservationId = resourceId as ReservationId
    return checkIn(deps, { ...change, reservationId, roomIds: args.roomIds }, call)
  },
  rejections: CHECK_IN_PROBLEMS,
})

function hasRooms({ rooms }: Stay, wanted: readonly string[] | undefined): boolean {
  if (wanted === undefined) return true
  return rooms.length === wanted.length && rooms.every(({ roomId }) => wanted.includes(roomId))
}

/** The keys of the stay are revoked because of the event of the reservation service. */
const checkOutIntent = defineIntent({
  ...stay,
  name: 'reservation.check_out',
  operation: 'staff.reservation.check-out',
  args: NoArgs,
  done: (found) => makerOf(found, OUT),
  apply(deps, { resourceId, expect, causationId, actor }, call) {
    const change = { actor, causationId, expectedVersion: expect.version }
    return checkOut(deps, { ...change, reservationId: resourceId as ReservationId }, call)
  },
  rejections: CHECK_OUT_PROBLEMS,
})

export const stayIntents = [checkInIntent, checkOutIntent]
