import { type App, idempotent, type SchemaRequest } from '@melmastoon/chassis/http'
import { named } from '@melmastoon/upstream-contracts'
import { PAYMENT_METHODS } from '@melmastoon/upstream-contracts/payment'
import { Type } from 'typebox'
import { DraftVM, draftHeaders } from '../../bookings/draft-view.ts'
import { ownView } from '../../bookings/read-own-booking.ts'
import { payerPhone } from '../../checkout/payer-phone.ts'
import { requestPayment } from '../../checkout/request-payment.ts'
import type { BookingContext } from '../../context.ts'
import { bookingActor, bookingMutation } from '../request-guest.ts'
import { DRAFT_HEADERS, DraftParams } from './get-draft.ts'
import type { Hooks } from './index.ts'

const DEADLINE_MS = 6_000

const PaymentRequestBody = named(
  'PaymentRequest',
  Type.Object({
    method: Type.Enum([...PAYMENT_METHODS]),
    phone: Type.Optional(
      Type.String({
        minLength: 4,
        maxLength: 40,
        description: 'For mobile money: the phone that pays; by default that of the guest.',
      }),
    ),
    region: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 2,
        description: 'ISO 3166 region of a national number.',
      }),
    ),
  }),
)

const schema = {
  params: DraftParams,
  body: PaymentRequestBody,
  response: { 201: DraftVM },
}
type PaymentRequest = SchemaRequest<typeof schema>

/** Starts a payment; with another method while one is open, that one is closed first (T8). */
export function requestPaymentRoute(app: App, ctx: BookingContext, { session }: Hooks): void {
  const config = {
    operation: 'booking.payment.request',
    deadlineMs: DEADLINE_MS,
    responseHeaders: DRAFT_HEADERS,
    problems: [
      'MELMASTOON.BFF.TENANT.DRAFT_NOT_FOUND',
      'MELMASTOON.BFF.TENANT.DRAFT_ENDED',
      'MELMASTOON.BFF.TENANT.DRAFT_ILLEGAL_TRANSITION',
      'MELMASTOON.BFF.TENANT.DETAILS_REQUIRED',
      'MELMASTOON.BFF.TENANT.DETAILS_INVALID',
      'MELMASTOON.BFF.TENANT.CONSENT_REQUIRED',
      'MELMASTOON.BFF.TENANT.HOLD_EXPIRED',
      'MELMASTOON.BFF.TENANT.PRICE_CHANGED',
      'MELMASTOON.BFF.TENANT.STAY_GONE',
      'MELMASTOON.BFF.TENANT.PAYMENT_IN_PROGRESS',
      'MELMASTOON.BFF.TENANT.PAYMENT_CAPTURED',
      'MELMASTOON.PAYMENT.METHOD_NOT_OFFERED',
      'MELMASTOON.PAYMENT.AMOUNT_INVALID',
      'MELMASTOON.PAYMENT.GATEWAY_UNAVAILABLE',
      'MELMASTOON.SESSION.COOKIE_INVALID',
    ],
  } as const
  const options = bookingMutation<PaymentRequest>({ ctx, session, withoutStore: true })
  const pay = idempotent(options, async (request, claim, { deadline }) => {
    const { params, body, trace } = request
    const guest = session.requireSessionWithoutStore(request)
    const { site, locale, cause } = bookingActor(ctx, request, guest)
    const requested = await requestPayment(
      ctx,
      {
        tenantId: site.tenantId,
        sessionId: guest.id,
        draftId: params.draftId,
        method: body.method,
        phoneOf: (draft) => payerPhone(ctx, draft, body),
        returnUrl: `${site.origin}/book/return?draft=${params.draftId}`,
        locale,
        deadline,
        trace,
        cause,
      },
      claim,
    )
    const view = ownView(ctx, requested.booking)
    const response = { status: 201, body: view, headers: draftHeaders(view) }
    return { ...requested.mutation, response }
  })
  app.post('/draft/:draftId/payment-intent', { config, schema }, pay)
}
