import { newTrace, renderTraceparent } from '@melmastoon/chassis/telemetry'
import { type BookingSessionId, type DraftId, newId, type ProblemCode } from '@melmastoon/domain'
import type { PaymentMethod } from '@melmastoon/upstream-contracts/payment'
import type { Quote } from '@melmastoon/upstream-contracts/pricing'
import { ownView } from '../../../src/bookings/read-own-booking.ts'
import { saveDetails } from '../../../src/bookings/save-details.ts'
import { confirmBooking } from '../../../src/checkout/confirm-booking.ts'
import { deleteDraft } from '../../../src/checkout/end-draft.ts'
import { requestPayment } from '../../../src/checkout/request-payment.ts'
import { settleNow } from '../../../src/checkout/settle-now.ts'
import { type Booking, isInProgress } from '../../../src/fulfilment/fulfilment.ts'
import { acceptPrice } from '../../../src/holds/accept-price.ts'
import { extendHold } from '../../../src/holds/extend-hold.ts'
import { placeHold } from '../../../src/holds/place-hold.ts'
import { replaceHold } from '../../../src/holds/replace-hold.ts'
import type { BookingActor } from '../../../src/sessions/booking-actor.ts'
import type { SimulatedProcess } from '../simulated-process.ts'
import type { Hotel } from './hotel.ts'
import {
  executeOnce,
  type KeyedRequest,
  type RequestOutcome,
  writeRequest,
} from './keyed-request.ts'
import type { ProcessDeps } from './process-deps.ts'

/** A request of a guest; a repetition has the same key and the same members. */
export type GuestRequest = { readonly key: string; readonly sessionId: BookingSessionId } & (
  | { readonly kind: 'hold'; readonly quote: Quote; readonly draftId?: DraftId }
  | {
      readonly kind: 'details'
      readonly draftId: DraftId
      readonly version: number
      readonly name: string
    }
  | {
      readonly kind: 'pay'
      readonly draftId: DraftId
      readonly method: PaymentMethod
      readonly phone: string
    }
  | { readonly kind: 'accept'; readonly draftId: DraftId; readonly digest: string }
  | { readonly kind: 'return' | 'confirm' | 'delete' | 'extend'; readonly draftId: DraftId }
)

export interface RequestContext {
  readonly deps: ProcessDeps
  readonly process: SimulatedProcess
  readonly hotel: Hotel
}

const HOLD_REJECTIONS = [
  'MELMASTOON.BFF.TENANT.SOLD_OUT',
  'MELMASTOON.BFF.TENANT.PRICE_CHANGED',
  'MELMASTOON.BFF.TENANT.STAY_GONE',
  'MELMASTOON.BFF.TENANT.DRAFT_VERSION_CONFLICT',
  'MELMASTOON.PRICING.QUOTE_EXPIRED',
  'MELMASTOON.INVENTORY.HOLD_LIMIT_REACHED',
] as const satisfies readonly ProblemCode[]

/** What the route of this request does. */
export async function handle(
  context: RequestContext,
  request: GuestRequest,
): Promise<RequestOutcome> {
  const { deps, hotel } = context
  const actor = actorOf(context, request)
  const { deadline, trace, cause } = actor
  const { tenantId } = hotel
  const { sessionId, key, kind, ...body } = request
  const keyed: KeyedRequest = { tenantId, sessionId, operation: kind, key, body }
  if (request.kind === 'hold') return await hold(context, { request, keyed, actor })
  const own = { tenantId, sessionId, draftId: request.draftId, deadline, trace }
  switch (request.kind) {
    case 'details':
      return await writeRequest(
        deps,
        keyed,
        await saveDetails(deps.details, {
          ...own,
          cause,
          version: request.version,
          input: guestInput(request.name),
          rules: async () => ({ flow: { optionalFields: [] }, country: 'AF', termsVersion: '1' }),
        }),
      )
    case 'pay':
      return await executeOnce(deps, keyed, async (claim) => {
        const { method } = request
        const returnUrl = 'https://hotel.example/return'
        const wanted = {
          ...own,
          cause,
          method,
          returnUrl,
          locale: actor.locale,
          phoneOf: () => request.phone,
        }
        const { booking, mutation } = await requestPayment(deps, wanted, claim)
        return { ...mutation, response: { status: 201, body: ownView(deps, booking) } }
      })
    case 'return':
      return await executeOnce(deps, keyed, async () =>
        settled(deps, await settleNow(deps, { ...own, trigger: 'return' })),
      )
    case 'confirm':
      return await executeOnce(deps, keyed, async () =>
        settled(deps, await confirmBooking(deps, { ...own, trigger: 'confirm' })),
      )
    case 'delete':
      return await executeOnce(deps, keyed, async () =>
        settled(deps, await deleteDraft(deps, { ...own, cause })),
      )
    case 'extend':
      return await executeOnce(deps, keyed, (claim) =>
        extendHold(deps.holds, { ...actor, draftId: own.draftId, claim }),
      )
    case 'accept':
      return await executeOnce(deps, keyed, (claim) =>
        acceptPrice(deps.holds, { ...actor, draftId: own.draftId, claim }, request.digest),
      )
  }
}

/** While a payment is undecided the response is not stored. */
function settled(deps: ProcessDeps, booking: Booking) {
  const body = ownView(deps, booking)
  if (isInProgress(booking)) return { provisional: { status: 202, body } }
  return { response: { status: 200, body } }
}

interface HoldInput {
  readonly request: Extract<GuestRequest, { kind: 'hold' }>
  readonly keyed: KeyedRequest
  readonly actor: BookingActor
}

function hold({ deps }: RequestContext, { request, keyed, actor }: HoldInput) {
  const { quote, draftId } = request
  const body = { quoteId: quote.quoteId, digest: quote.digest }
  return executeOnce(deps, { ...keyed, finalRejections: HOLD_REJECTIONS }, (claim) => {
    const wanted = { ...actor, body, claim }
    return draftId === undefined
      ? placeHold(deps.holds, wanted)
      : replaceHold(deps.holds, wanted, draftId)
  })
}

const DEADLINE_MS = 8_000

function actorOf(
  { deps, process, hotel }: RequestContext,
  { sessionId }: GuestRequest,
): BookingActor {
  const trace = newTrace()
  const cause = () => ({
    producerInstance: process.name,
    tenantId: hotel.tenantId,
    requestId: newId('req'),
    traceparent: renderTraceparent(trace),
    occurredAt: deps.clock.now(),
  })
  return {
    site: hotel.site,
    session: hotel.session(sessionId),
    client: hotel.client,
    locale: 'en',
    currency: 'USD',
    deadline: process.deadline(DEADLINE_MS),
    trace,
    cause,
  }
}

function guestInput(fullName: string) {
  return { fullName, email: 'zarmina@example.org', phone: '+93701234567', termsAccepted: true }
}
