import { type App, idempotent, type SchemaRequest } from '@melmastoon/chassis/http'
import { DraftVM } from '../../bookings/draft-view.ts'
import { confirmBooking } from '../../checkout/confirm-booking.ts'
import type { BookingContext } from '../../context.ts'
import type { StoreResponse } from '../../fulfilment/settle.ts'
import { bookingMutation } from '../request-guest.ts'
import { settledResponse, settlementResponse } from '../settlement-response.ts'
import { DRAFT_HEADERS, DraftParams, EmptyBody } from './get-draft.ts'
import type { Hooks } from './index.ts'

const DEADLINE_MS = 8_000

const schema = {
  params: DraftParams,
  body: EmptyBody,
  response: { 200: DraftVM, 202: DraftVM },
}
type ConfirmRequest = SchemaRequest<typeof schema>

/** Confirms the stay with the payment that was made or promised; 202 while it is in progress. */
export function confirmBookingRoute(app: App, ctx: BookingContext, { session }: Hooks): void {
  const config = {
    operation: 'booking.draft.confirm',
    deadlineMs: DEADLINE_MS,
    responseHeaders: DRAFT_HEADERS,
    problems: [
      'MELMASTOON.BFF.TENANT.DRAFT_NOT_FOUND',
      'MELMASTOON.BFF.TENANT.DRAFT_ENDED',
      'MELMASTOON.BFF.TENANT.DRAFT_ILLEGAL_TRANSITION',
      'MELMASTOON.BFF.TENANT.PRICE_CHANGED',
      'MELMASTOON.BFF.TENANT.STAY_GONE',
      'MELMASTOON.PAYMENT.DECLINED',
      'MELMASTOON.SESSION.COOKIE_INVALID',
    ],
  } as const
  const options = bookingMutation<ConfirmRequest>({ ctx, session, withoutStore: true })
  const confirm = idempotent(options, async (request, claim, { deadline }) => {
    const { params, trace, site } = request
    const { id: sessionId } = session.requireSessionWithoutStore(request)
    const own = { tenantId: site.tenantId, sessionId, draftId: params.draftId }
    const storeResponse: StoreResponse = (confirmed, onlyIf) =>
      claim.completion(settledResponse(ctx, site, confirmed), onlyIf)
    const call = { deadline, trace, trigger: 'confirm', storeResponse } as const
    const booking = await confirmBooking(ctx, { ...own, ...call })
    return claim.response === null ? settlementResponse(ctx, site, booking) : undefined
  })
  app.post('/draft/:draftId/confirm', { config, schema }, confirm)
}
