import { type App, idempotent, type SchemaRequest } from '@melmastoon/chassis/http'
import { id, named } from '@melmastoon/upstream-contracts'
import { REDIRECT_STATUSES } from '@melmastoon/upstream-contracts/payment'
import { Type } from 'typebox'
import { DraftVM } from '../../bookings/draft-view.ts'
import { settleNow } from '../../checkout/settle-now.ts'
import type { BookingContext } from '../../context.ts'
import { bookingMutation } from '../request-guest.ts'
import { settlementResponse } from '../settlement-response.ts'
import { DRAFT_HEADERS, DraftParams } from './get-draft.ts'
import type { Hooks } from './index.ts'

const DEADLINE_MS = 8_000

const ReturnBody = named(
  'ReturnRequest',
  Type.Object({
    paymentIntentId: Type.Optional(id('pyi')),
    redirectStatus: Type.Optional(
      Type.Enum([...REDIRECT_STATUSES], {
        description: 'As in the return address. A hint only: the payment itself is read.',
      }),
    ),
  }),
)

const schema = {
  params: DraftParams,
  body: ReturnBody,
  response: { 200: DraftVM, 202: DraftVM },
}
type ReturnRequest = SchemaRequest<typeof schema>

/** The guest is back from the page of the provider, whatever its address claims (F8). */
export function returnFromPaymentRoute(app: App, ctx: BookingContext, { session }: Hooks): void {
  const config = {
    operation: 'booking.payment.return',
    deadlineMs: DEADLINE_MS,
    responseHeaders: DRAFT_HEADERS,
    problems: ['MELMASTOON.BFF.TENANT.DRAFT_NOT_FOUND', 'MELMASTOON.SESSION.COOKIE_INVALID'],
  } as const
  const options = bookingMutation<ReturnRequest>({ ctx, session, withoutStore: true })
  const settle = idempotent(options, async (request, _claim, { deadline }) => {
    const { params, trace, site } = request
    const { id: sessionId } = session.requireSessionWithoutStore(request)
    const own = { tenantId: site.tenantId, sessionId, draftId: params.draftId }
    const booking = await settleNow(ctx, { ...own, deadline, trace, trigger: 'return' })
    ctx.fulfilment.paymentReturns.inc({ outcome: booking.draft.state })
    return settlementResponse(ctx, site, booking)
  })
  app.post('/draft/:draftId/return', { config, schema }, settle)
}
