import type { App, SchemaRequest } from '@melmastoon/chassis/http'
import { named } from '@melmastoon/upstream-contracts'
import { Type } from 'typebox'
import type { BackofficeContext } from '../../context.ts'
import { planRebind } from '../../locks/plan-change.ts'
import {
  KeyIdField,
  LOCK_PROBLEMS,
  lockHandler,
  ReservationParams,
  RoomIdsField,
} from '../lock-route.ts'
import { LockActionVM } from '../lock-view.ts'

const schema = {
  params: ReservationParams,
  body: named(
    'RebindKeyRequest',
    Type.Object({ keyId: KeyIdField, roomIds: Type.Optional(RoomIdsField) }),
  ),
  response: { 201: LockActionVM, 202: LockActionVM },
}

/** Makes a key open other rooms of its stay instead (B9). */
export function rebindKeyRoute(app: App, ctx: BackofficeContext) {
  const problems = [
    ...LOCK_PROBLEMS,
    'MELMASTOON.RESERVATION.ILLEGAL_TRANSITION',
    'MELMASTOON.RESERVATION.ROOM_NOT_AVAILABLE',
  ] as const
  const config = { operation: 'staff.lock.rebind', problems }
  const handler = lockHandler<SchemaRequest<typeof schema>>(
    ctx,
    'rebind',
    ({ operator, params, body }, requestKey, call) =>
      planRebind(ctx, { operator, ...params, ...body, requestKey }, call),
  )
  app.post('/locks/:reservationId/rebind-key', { config, schema }, handler)
}
