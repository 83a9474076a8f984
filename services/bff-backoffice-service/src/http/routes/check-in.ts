import type { App, SchemaRequest } from '@melmastoon/chassis/http'
import { named } from '@melmastoon/upstream-contracts'
import { Type } from 'typebox'
import type { BackofficeContext } from '../../context.ts'
import { CHECK_IN_PROBLEMS, checkIn, requireStay } from '../../desk/change-stay.ts'
import { ChangedStay, describeStay } from '../../desk/stay-view.ts'
import {
  CHANGE_DEADLINE_MS,
  changeBy,
  changeCall,
  expectedVersion,
  typedId,
} from '../change-request.ts'
import { staffMutation } from '../staff-mutation.ts'

const schema = {
  params: Type.Object({ reservationId: typedId('rsv') }),
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

const activity = {
  category: 'desk',
  action: 'reservation.check_in',
  resourceKind: 'reservation',
  resourceId: ({ params }: Request) => params.reservationId,
}

export function checkInRoute(app: App, ctx: BackofficeContext) {
  const config = {
    operation: 'staff.reservation.check-in',
    deadlineMs: CHANGE_DEADLINE_MS,
    problems: CHECK_IN_PROBLEMS,
  } as const
  const handler = staffMutation<Request>(ctx, { activity }, async (request, claim, work) => {
    const { operator, params, body } = request
    const call = changeCall(request, claim, work)
    const { propertyId } = await requireStay(ctx, { operator, ...params }, call)
    work.details.propertyId = propertyId
    const { roomIds } = body
    const stay = await checkIn(ctx, { ...changeBy(request, body), ...params, roomIds }, call)
    return { response: { status: 200, body: describeStay(stay) } }
  })
  app.post('/reservations/:reservationId/check-in', { config, schema }, handler)
}
