import type { App, SchemaRequest } from '@melmastoon/chassis/http'
import { named } from '@melmastoon/upstream-contracts'
import { KEY_KINDS } from '@melmastoon/upstream-contracts/lock'
import { Type } from 'typebox'
import type { BackofficeContext } from '../../context.ts'
import { planIssue } from '../../locks/plan-issue.ts'
import { LOCK_PROBLEMS, lockHandler, ReservationParams, RoomIdsField } from '../lock-route.ts'
import { IssuedKeyVM } from '../lock-view.ts'

const schema = {
  params: ReservationParams,
  body: named(
    'IssueKeyRequest',
    Type.Object({
      roomIds: Type.Optional(RoomIdsField),
      kind: Type.Optional(
        Type.Enum([...KEY_KINDS], { description: 'By default a PIN where the locks support it' }),
      ),
      additional: Type.Optional(
        Type.Boolean({ description: 'Besides a key of this kind that the room already has' }),
      ),
    }),
  ),
  response: { 201: IssuedKeyVM, 202: IssuedKeyVM },
}

/** A key for the rooms of a stay, from check-in until 30 minutes after check-out (B9). */
export function issueKeyRoute(app: App, ctx: BackofficeContext) {
  const problems = [
    ...LOCK_PROBLEMS,
    'MELMASTOON.BFF.BACKOFFICE.KEY_EXISTS',
    'MELMASTOON.RESERVATION.ILLEGAL_TRANSITION',
    'MELMASTOON.RESERVATION.ROOM_NOT_AVAILABLE',
  ] as const
  const config = { operation: 'staff.lock.issue', problems }
  const handler = lockHandler<SchemaRequest<typeof schema>>(
    ctx,
    'issue',
    ({ operator, params, body }, requestKey, call) =>
      planIssue(ctx, { operator, ...params, ...body, requestKey }, call),
  )
  app.post('/locks/:reservationId/issue-key', { config, schema }, handler)
}
