import type { App, SchemaRequest } from '@melmastoon/chassis/http'
import { named } from '@melmastoon/upstream-contracts'
import { Type } from 'typebox'
import type { BackofficeContext } from '../../context.ts'
import { CHECK_OUT_PROBLEMS, checkOut } from '../../desk/change-stay.ts'
import { ChangedStay } from '../../desk/stay-view.ts'
import { CHANGE_DEADLINE_MS, expectedVersion } from '../change-request.ts'
import { StayParams, stayHandler } from '../stay-handler.ts'

const schema = {
  params: StayParams,
  body: named('CheckOutRequest', Type.Object({ expectedVersion: expectedVersion() })),
  response: { 200: ChangedStay },
}
type Request = SchemaRequest<typeof schema>

export function checkOutRoute(app: App, ctx: BackofficeContext) {
  const config = {
    operation: 'staff.reservation.check-out',
    deadlineMs: CHANGE_DEADLINE_MS,
    problems: CHECK_OUT_PROBLEMS,
  } as const
  const handler = stayHandler<Request>(ctx, 'check_out', (change, _body, call) =>
    checkOut(ctx, change, call),
  )
  app.post('/reservations/:reservationId/check-out', { config, schema }, handler)
}
