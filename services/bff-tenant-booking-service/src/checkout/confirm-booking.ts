import { isProblemCode, problem } from '@melmastoon/domain'
import { illegalTransition, isFinal } from '../drafts/draft-states.ts'
import { type Booking, isInProgress } from '../fulfilment/fulfilment.ts'
import type { CheckoutDeps } from './checkout-deps.ts'
import { type SettleRequest, settleNow } from './settle-now.ts'

/**
 * Confirms with what was paid or promised; cash on arrival needs no more than this.
 * @throws Problem why there is nothing to confirm: the draft was given up, it has no payment or a
 * declined one, or another price.
 */
export async function confirmBooking(deps: CheckoutDeps, request: SettleRequest): Promise<Booking> {
  const booking = await settleNow(deps, request)
  const { draft, attempts } = booking
  if (draft.state === 'abandoned') throw problem('MELMASTOON.BFF.TENANT.DRAFT_ENDED')
  if (isFinal(draft.state) || isInProgress(booking)) return booking
  if (attempts.length === 0) throw illegalTransition(draft.state, 'money.seen')
  const code = draft.errors.at(-1)?.code
  throw problem(isProblemCode(code) ? code : 'MELMASTOON.PAYMENT.DECLINED')
}
