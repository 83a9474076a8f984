import type { UpstreamCall } from '@melmastoon/bff/upstreams'
import type { Claim, Mutation } from '@melmastoon/chassis/idempotency'
import { fromUpstreamRejection, UpstreamRejection } from '@melmastoon/chassis/upstream'
import { isProblemCode, type Locale, problem } from '@melmastoon/domain'
import type { EventContext } from '@melmastoon/events'
import type { Intent, PaymentMethod } from '@melmastoon/upstream-contracts/payment'
import { requireOwnBooking } from '../bookings/read-own-booking.ts'
import type { Draft } from '../drafts/draft.ts'
import { draftCause } from '../drafts/draft-messages.ts'
import { CLAIMED } from '../drafts/draft-sql.ts'
import { illegalTransition, isFinal } from '../drafts/draft-states.ts'
import type { Booking } from '../fulfilment/fulfilment.ts'
import { settleBooking } from '../fulfilment/settle.ts'
import { CREATE_REJECTIONS } from '../fulfilment/steps/learn-intent.ts'
import { isActive, type PaymentAttempt, withIntent } from '../payments/attempt.ts'
import { adoptIntent, closeAttempt } from '../payments/attempt-sql.ts'
import { inLanguageOf, intentCreatedEvent, intentRequest } from '../payments/intent-request.ts'
import { type BeginInput, beginAttempt, phoneReference } from './begin-attempt.ts'
import type { CheckoutDeps, OwnDraft } from './checkout-deps.ts'

export interface PaymentRequest extends OwnDraft, UpstreamCall {
  readonly method: PaymentMethod
  /** In E.164, for mobile money. */
  readonly phoneOf: (draft: Draft) => string
  /** Where the provider sends the guest back to. */
  readonly returnUrl: string
  /** Of the provider's page. */
  readonly locale: Locale
  readonly cause: () => EventContext
}

export interface RequestedPayment {
  readonly booking: Booking
  readonly mutation: Omit<Mutation, 'response'>
}

/**
 * Starts a payment (T8). The attempt and the fulfilment record are stored before the payment
 * service is called, so a crash or a lost response leaves a record that the poller settles. A
 * repeated request continues the attempt that it finds.
 */
export async function requestPayment(
  deps: CheckoutDeps,
  request: PaymentRequest,
  claim: Claim,
): Promise<RequestedPayment> {
  const found = checkPayable(await requireOwnBooking(deps, request))
  const booking = await closeOtherPayment(deps, request, { booking: found, claim })
  const current = booking.attempts.find(isActive)
  if (current !== undefined && current.status !== 'creating') return { booking, mutation: {} }
  const begun =
    current === undefined
      ? await beginAttempt(deps, request, { booking, claim })
      : { booking, attempt: current }
  return await createIntent(deps, request, begun)
}

/** @throws Problem when the booking is decided, has ended, or lacks something. */
function checkPayable(booking: Booking): Booking {
  const { draft, record } = booking
  const decision = record?.decision ?? null
  const isEnded = isFinal(draft.state) && decision !== 'confirm'
  if (isEnded) throw problem('MELMASTOON.BFF.TENANT.DRAFT_ENDED')
  // Also when the stay is confirmed: nobody should pay for it again (E10).
  if (decision !== null) throw problem('MELMASTOON.BFF.TENANT.PAYMENT_CAPTURED')
  if (draft.guest === null) throw problem('MELMASTOON.BFF.TENANT.DETAILS_REQUIRED')
  if (draft.changedTerms !== null) throw problem('MELMASTOON.BFF.TENANT.CONSENT_REQUIRED')
  if (draft.state === 'holding') throw illegalTransition(draft.state, 'intent.requested')
  return booking
}

/**
 * At most one payment is open. Another method or phone first closes the open one; if that has money
 * meanwhile, it pays for the stay, and no new payment is made (E9).
 */
async function closeOtherPayment(
  deps: CheckoutDeps,
  request: PaymentRequest,
  { booking, claim }: BeginInput,
): Promise<Booking> {
  const open = booking.attempts.find(isActive)
  if (open === undefined || (await isSamePayment(deps, request, { booking, claim, open }))) {
    return booking
  }
  const { deadline, trace, tenantId, draftId } = request
  const options = { trigger: 'switch', closing: 'switched', deadline, trace } as const
  await settleBooking(deps, { tenantId, draftId }, options)
  const after = checkPayable(await requireOwnBooking(deps, request))
  if (after.attempts.some(isActive)) throw problem('MELMASTOON.BFF.TENANT.PAYMENT_IN_PROGRESS')
  return after
}

async function isSamePayment(
  deps: CheckoutDeps,
  request: PaymentRequest,
  { booking, claim, open }: BeginInput & { readonly open: PaymentAttempt },
): Promise<boolean> {
  if (open.method !== request.method) return false
  const phoneRef = await phoneReference(deps, request, { draft: booking.draft, claim })
  return phoneRef === open.phoneRef
}

export interface BegunAttempt {
  readonly booking: Booking
  readonly attempt: PaymentAttempt
}

async function createIntent(
  deps: CheckoutDeps,
  request: PaymentRequest,
  { booking, attempt }: BegunAttempt,
): Promise<RequestedPayment> {
  const { deadline, trace, tenantId, draftId } = request
  const body = intentRequest(booking.draft, attempt)
  const options = { tenantId, deadline, trace, idempotencyKey: attempt.key }
  const call = inLanguageOf(attempt, options)
  const created = deps.upstreams.payment.createIntent({ body }, call)
  const intent = await created.catch((error: unknown) =>
    rejected(deps, { tenantId, draftId, no: attempt.no }, error),
  )
  return adopted(request, { booking, attempt, intent })
}

function adopted(
  request: PaymentRequest,
  { booking, attempt, intent }: BegunAttempt & { readonly intent: Intent },
): RequestedPayment {
  const { tenantId, draftId } = request
  const known = withIntent(attempt, intent)
  const cause = draftCause(booking.draft, request.cause())
  const furtherEffects = adoptIntent({ tenantId, draftId, no: attempt.no }, known, {
    events: [intentCreatedEvent(known, booking.draft, cause)],
    onlyIf: CLAIMED,
    resultName: 'effect_2',
  })
  const attempts = booking.attempts.map((each) => (each.no === known.no ? known : each))
  return { booking: { ...booking, attempts }, mutation: { furtherEffects } }
}

/** A definite rejection closes the attempt; anything else leaves it to the poller. */
async function rejected(
  { db }: CheckoutDeps,
  ref: { tenantId: OwnDraft['tenantId']; draftId: OwnDraft['draftId']; no: number },
  error: unknown,
): Promise<never> {
  if (!(error instanceof UpstreamRejection)) throw error
  // Another tab is creating the same payment at this moment.
  if (error.code === 'MELMASTOON.IDEMPOTENCY.IN_FLIGHT') {
    throw problem('MELMASTOON.BFF.TENANT.PAYMENT_IN_PROGRESS')
  }
  const code = CREATE_REJECTIONS.find((each) => each === error.code)
  if (code === undefined || !isProblemCode(code)) throw fromUpstreamRejection(error)
  await db.tenantQuery(ref.tenantId, closeAttempt(ref))
  throw problem(
    code === 'MELMASTOON.TENANT.SUSPENDED' ? 'MELMASTOON.BFF.TENANT.SITE_SUSPENDED' : code,
  )
}
