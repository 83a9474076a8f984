import type { StayDetail } from '@melmastoon/upstream-contracts/reservation'
import { type Static, Type } from 'typebox'
import type { BackofficeContext } from '../context.ts'
import { requireStay } from '../desk/change-stay.ts'
import { describeStay } from '../desk/stay-view.ts'
import { type ApplyChange, type ChangeRequest, changeHandler } from './change-handler.ts'
import { typedId } from './change-request.ts'

export const StayParams = Type.Object({ reservationId: typedId('rsv') })

/** The handler of check-in and check-out. */
export function stayHandler<R extends ChangeRequest & { params: Static<typeof StayParams> }>(
  ctx: BackofficeContext,
  action: 'check_in' | 'check_out',
  apply: ApplyChange<R, StayDetail>,
) {
  const activity = {
    category: 'desk',
    action: `reservation.${action}`,
    resourceKind: 'reservation',
    resourceId: ({ params }: R) => params.reservationId,
  }
  return changeHandler<R>(ctx, {
    activity,
    require: (wanted, call) => requireStay(ctx, wanted, call),
    apply: async (change, body, call) => describeStay(await apply(change, body, call)),
  })
}
