import { idempotent } from '@melmastoon/chassis/http'
import type { ProblemCode } from '@melmastoon/domain'
import type { FastifyRequest } from 'fastify'
import type { BookingContext } from '../context.ts'
import type { ChangeRequest } from '../holds/extend-hold.ts'
import { type BookingSessionHook, bookingActor, bookingMutation } from './request-guest.ts'

export const CHANGE_HOLD_DEADLINE_MS = 5_000

export const CHANGE_HOLD_PROBLEMS = [
  'MELMASTOON.BFF.TENANT.DRAFT_NOT_FOUND',
  'MELMASTOON.BFF.TENANT.DRAFT_ENDED',
  'MELMASTOON.BFF.TENANT.DRAFT_ILLEGAL_TRANSITION',
  'MELMASTOON.BFF.TENANT.DRAFT_VERSION_CONFLICT',
  'MELMASTOON.SESSION.COOKIE_INVALID',
] as const satisfies readonly ProblemCode[]

export interface HoldChange<R> {
  /** Rejections that are replayed like a success. */
  readonly finalRejections: readonly ProblemCode[]
  readonly apply: (change: ChangeRequest, request: R) => Promise<undefined>
}

/** The handler of a guest's changes to the hold of a draft. */
export function changeHoldHandler<
  R extends FastifyRequest & { params: Pick<ChangeRequest, 'draftId'> },
>(ctx: BookingContext, session: BookingSessionHook, { finalRejections, apply }: HoldChange<R>) {
  const options = bookingMutation<R>({ ctx, session, withoutStore: true })
  return idempotent<R>({ ...options, finalRejections }, (request, claim, { deadline }) => {
    const guest = session.requireSessionWithoutStore(request)
    const { draftId } = request.params
    return apply({ ...bookingActor(ctx, request, guest), deadline, draftId, claim }, request)
  })
}
