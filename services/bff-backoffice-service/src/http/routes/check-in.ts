import type { App, SchemaRequest } from '@melmastoon/chassis/http'
import { named } from '@melmastoon/upstream-contracts'
import { Type } from 'typebox'
import type { BackofficeContext } from '../../context.ts'
import { CHECK_IN_PROBLEMS, checkIn } from '../../desk/change-stay.ts'
import { ChangedStay } from '../../desk/stay-view.ts'
import { CHANGE_DEADLINE_MS, expectedVersion, typedId } from '../change-request.ts'
import { StayParams, stayHandler } from '../stay-handler.ts'

const schema = {
  params: StayParams,
  body: named(
    'CheckInRequest',
    Type.Object({
      roomIds: Type.Optional(
        Type.Array(typedId('rmu'), {
          minItems: 1,
          maxItems: 100,
          uniqueItems: true,
          description: 'The assigned rooms by default',
        }),
      ),
      expectedVersion: expectedVersion(),
    }),
  ),
  response: { 200: ChangedStay },
}
type Request = SchemaRequest<typeof schema>

export function checkInRoute(app: App, ctx: BackofficeContext) {
  const config = {
    operation: 'staff.reservation.check-in',
    deadlineMs: CHANGE_DEADLINE_MS,
    problems: CHECK_IN_PROBLEMS,
  } as const
  const handler = stayHandler<Request>(ctx, 'check_in', (change, { roomIds }, call) =>
    checkIn(ctx, { ...change, roomIds }, call),
  )
  app.post('/reservations/:reservationId/check-in', { config, schema }, handler)
}
