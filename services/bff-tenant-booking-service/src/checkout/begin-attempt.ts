import { asRejectedRequest } from '@melmastoon/bff/upstreams'
import { isUniqueViolation } from '@melmastoon/chassis/db'
import type { Claim } from '@melmastoon/chassis/idempotency'
import { UpstreamRejection } from '@melmastoon/chassis/upstream'
import { type IsoDateTime, type ProblemCode, problem } from '@melmastoon/domain'
import type { CaptureMode } from '@melmastoon/upstream-contracts/payment'
import { type Draft, laterHold, SERVICE_EXTENSIONS_MAX, withError } from '../drafts/draft.ts'
import { draftCause, errorEvents, stepEvents } from '../drafts/draft-messages.ts'
import { saveDraftWithEvents } from '../drafts/draft-sql.ts'
import { factsOf, moveDraft } from '../drafts/draft-states.ts'
import { priceChange } from '../drafts/price-change.ts'
import { type PriceCheck, recheckPrice } from '../drafts/recheck-price.ts'
import { deriveKey } from '../fulfilment/derive-key.ts'
import type { Booking } from '../fulfilment/fulfilment.ts'
import { noteExpiredHold } from '../holds/note-expired-hold.ts'
import type { PaymentAttempt } from '../payments/attempt.ts'
import type { CheckoutDeps } from './checkout-deps.ts'
import { insertPayment, type NewPayment } from './checkout-sql.ts'
import type { BegunAttempt, PaymentRequest } from './request-payment.ts'

const ATTEMPTS_MAX = 20
/** The page of the provider has its own time limit: the hold should outlast it. */
const EXTEND_BEFORE_MS = 8 * 60_000

export interface BeginInput {
  readonly booking: Booking
  readonly claim: Claim
}

/** Checks price, hold and method at the same time, then stores the attempt with its record. */
export async function beginAttempt(
  deps: CheckoutDeps,
  request: PaymentRequest,
  { booking, claim }: BeginInput,
): Promise<BegunAttempt> {
  const { draft, attempts } = booking
  if (deps.flags.areNewIntentsPaused(draft.tenantId) || attempts.length >= ATTEMPTS_MAX) {
    throw problem('MELMASTOON.PAYMENT.GATEWAY_UNAVAILABLE')
  }
  const [recheck, hold, captureMode, phoneRef] = await Promise.all([
    recheckPrice(deps, draft, recheckCall(request, claim)),
    extendShortHold(deps, request, booking),
    captureModeOf(deps, request),
    phoneReference(deps, request, { draft, claim }),
  ])
  if (recheck.kind !== 'matched') {
    throw await priceProblem(deps, request, { draft: { ...draft, ...hold }, recheck })
  }
  const attempt = newAttempt(deps, request, { booking, captureMode, phoneRef })
  const after = { ...requestedDraft(deps, draft), ...hold }
  const events = stepEvents(deps, after, draftCause(after, request.cause()))
  await store(deps, request, { draft, after, attempt, events })
  return { booking: { ...booking, draft: after, attempts: [...attempts, attempt] }, attempt }
}

function recheckCall({ deadline, trace }: PaymentRequest, claim: Claim) {
  return { deadline, trace, upstreamKey: (step: string) => claim.upstreamKey(step) }
}

type HoldChange = Partial<Pick<Draft, 'holdExpiresAt' | 'serviceExtensions'>>

async function extendShortHold(
  deps: CheckoutDeps,
  request: PaymentRequest,
  booking: Booking,
): Promise<HoldChange> {
  const { tenantId, draftId, deadline, trace } = request
  const { draft, now } = booking
  const leftMs = Date.parse(draft.holdExpiresAt) - now.getTime()
  if (leftMs <= 0) throw await holdExpired(deps, request, booking)
  if (leftMs > EXTEND_BEFORE_MS || draft.serviceExtensions >= SERVICE_EXTENSIONS_MAX) return {}
  const n = draft.holdNo * 100 + draft.serviceExtensions
  const key = deriveKey(deps.fulfilmentKeys, { tenantId, draftId, step: 'extend-service', n })
  const input = { params: { reservationId: draft.reservationId }, body: {} }
  const call = { tenantId, deadline, trace, idempotencyKey: key }
  try {
    const extended = await deps.upstreams.reservation.extend(input, call)
    return {
      serviceExtensions: draft.serviceExtensions + 1,
      holdExpiresAt: laterHold(draft, extended.holdExpiresAt),
    }
  } catch (error) {
    const code = error instanceof UpstreamRejection ? error.code : undefined
    if (code === 'MELMASTOON.RESERVATION.HOLD_EXPIRED') {
      throw await holdExpired(deps, request, booking)
    }
    // The hold is active: a payment that takes longer takes the rooms again, or is returned.
    return {}
  }
}

async function holdExpired(deps: CheckoutDeps, request: PaymentRequest, booking: Booking) {
  await noteExpiredHold(deps, booking, request)
  return problem('MELMASTOON.BFF.TENANT.HOLD_EXPIRED')
}

/** Cards are captured after the stay is confirmed where that is offered: no refund is needed. */
async function captureModeOf(
  { upstreams }: CheckoutDeps,
  { tenantId, deadline, trace, method }: PaymentRequest,
): Promise<CaptureMode> {
  const call = { tenantId, deadline, trace }
  const { methods } = await upstreams.payment.listMethods({}, call).catch(asRejectedRequest)
  const offered = methods.find((each) => each.method === method)
  if (offered === undefined) throw problem('MELMASTOON.PAYMENT.METHOD_NOT_OFFERED')
  return offered.captureModes.includes('manual') ? 'manual' : 'automatic'
}

/** The provider's reference of the phone that pays; the number itself is not stored. */
export async function phoneReference(
  { upstreams }: CheckoutDeps,
  { tenantId, deadline, trace, method, phoneOf }: PaymentRequest,
  { draft, claim }: { readonly draft: Draft; readonly claim: Claim },
): Promise<string | null> {
  if (method !== 'mobile_money') return null
  const call = { tenantId, deadline, trace, idempotencyKey: claim.upstreamKey('phone') }
  const body = { phone: phoneOf(draft) }
  const { phoneRef } = await upstreams.payment
    .tokenizePhone({ body }, call)
    .catch(asRejectedRequest)
  return phoneRef
}

interface AttemptInput {
  readonly booking: Booking
  readonly captureMode: CaptureMode
  readonly phoneRef: string | null
}

/** With the keys of all its later calls. */
function newAttempt(
  { fulfilmentKeys }: CheckoutDeps,
  { tenantId, draftId, method, returnUrl, locale }: PaymentRequest,
  { booking, captureMode, phoneRef }: AttemptInput,
): PaymentAttempt {
  const { draft, attempts } = booking
  const no = (attempts.at(-1)?.no ?? 0) + 1
  const keyFor = (step: string) => deriveKey(fulfilmentKeys, { tenantId, draftId, step, n: no })
  return {
    no,
    key: keyFor('intent'),
    cancelKey: keyFor('cancel-intent'),
    refundKey: keyFor('refund'),
    refundNo: 1,
    intentId: null,
    method,
    provider: null,
    captureMode,
    digest: draft.terms.digest,
    amount: draft.terms.total,
    returnUrl: method === 'card' ? returnUrl : null,
    phoneRef,
    locale,
    isConfirmRequested: false,
    status: 'creating',
    intentStatus: null,
    intentVersion: 0,
    declineCode: null,
    nextAction: null,
    role: 'none',
    refundedMicro: '0',
  }
}

function requestedDraft({ clock }: CheckoutDeps, draft: Draft): Draft {
  const at = clock.now()
  const event = draft.state === 'paying' ? 'intent.repeated' : 'intent.requested'
  return moveDraft(draft, { event, actor: 'guest', facts: factsOf(draft, false, at), at })
}

async function store(
  { db, hotDrafts }: CheckoutDeps,
  { tenantId, deadline }: PaymentRequest,
  input: NewPayment,
): Promise<void> {
  const rows = await db
    .tenantQuery(tenantId, insertPayment(input), { deadline })
    .catch((error: unknown) => {
      if (isUniqueViolation(error)) return []
      throw error
    })
  // The draft changed, or another request has just begun a payment.
  if (rows.length === 0) throw problem('MELMASTOON.BFF.TENANT.PAYMENT_IN_PROGRESS')
  hotDrafts.store(input.after)
}

interface PriceInput {
  readonly draft: Draft
  readonly recheck: Exclude<PriceCheck, { kind: 'matched' }>
}

/** Records that the guest has to agree to other terms, or that there are none any more. */
async function priceProblem(
  deps: CheckoutDeps,
  { tenantId, deadline, cause }: PaymentRequest,
  { draft, recheck }: PriceInput,
) {
  const isChanged = recheck.kind === 'changed'
  const code: ProblemCode = isChanged
    ? 'MELMASTOON.BFF.TENANT.PRICE_CHANGED'
    : 'MELMASTOON.BFF.TENANT.STAY_GONE'
  const at = deps.clock.now()
  const entry = {
    code,
    atState: draft.state,
    upstream: 'pricing-service',
    at: at.toISOString() as IsoDateTime,
  }
  const moved = moveDraft(draft, {
    event: isChanged ? 'price.changed' : 'stay.gone',
    actor: 'service',
    facts: factsOf(draft, false, at),
    at,
  })
  const changedTerms = isChanged ? recheck.terms : null
  const after = withError({ ...moved, changedTerms }, entry)
  const context = draftCause(draft, cause())
  const error = { ...entry, userActionable: true }
  const events = errorEvents(deps, draft, { error, cause: context })
  await deps.db.tenantQuery(tenantId, saveDraftWithEvents(draft, after, events), { deadline })
  const extensions = isChanged ? priceChange(draft.terms, recheck.terms) : undefined
  return problem(code, { extensions })
}
