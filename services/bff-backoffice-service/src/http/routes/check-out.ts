import type { App, SchemaRequest } from '@melmastoon/chassis/http'
import { named } from '@melmastoon/upstream-contracts'
import { Type } from 'typebox'
import type { BackofficeContext } from '../../context.ts'
import { CHECK_OUT_PROBLEMS, checkOut, requireStay } from '../../desk/change-stay.ts'
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
  body: named('CheckOutRequest', Type.Object({ expectedVersion: expectedVersion() })),
  response: { 200: ChangedStay },
}
type Request = SchemaRequest<typeof schema>

const activity = {
  category: 'desk',
  action: 'reservation.check_out',
  resourceKind: 'reservation',
  resourceId: ({ params }: Request) => params.reservationId,
}

export function checkOutRoute(app: App, ctx: BackofficeContext) {
  const config = {
    operation: 'staff.reservation.check-out',
    deadlineMs: CHANGE_DEADLINE_MS,
    problems: CHECK_OUT_PROBLEMS,
  } as const
  const handler = staffMutation<Request>(ctx, { activity }, async (request, claim, work) => {
    const { operator, params, body } = request
    const call = changeCall(request, claim, work)
    const { propertyId } = await requireStay(ctx, { operator, ...params }, call)
    work.details.propertyId = propertyId
    const stay = await checkOut(ctx, { ...changeBy(request, body), ...params }, call)
    return { response: { status: 200, body: describeStay(stay) } }
  })
  app.post('/reservations/:reservationId/check-out', { config, schema }, handler)
}
