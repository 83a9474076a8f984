import { type App, idempotent, type SchemaRequest } from '@melmastoon/chassis/http'
import { DraftVM } from '../../bookings/draft-view.ts'
import { deleteDraft } from '../../checkout/end-draft.ts'
import type { BookingContext } from '../../context.ts'
import { bookingActor, bookingMutation } from '../request-guest.ts'
import { settlementResponse } from '../settlement-response.ts'
import { DRAFT_HEADERS, DraftParams } from './get-draft.ts'
import type { Hooks } from './index.ts'

const DEADLINE_MS = 8_000

const schema = {
  params: DraftParams,
  response: { 200: DraftVM, 202: DraftVM },
}
type DeleteRequest = SchemaRequest<typeof schema>

/** The guest gives up: the rooms are released, an open payment is closed first. */
export function deleteDraftRoute(app: App, ctx: BookingContext, { session }: Hooks): void {
  const config = {
    operation: 'booking.draft.delete',
    deadlineMs: DEADLINE_MS,
    responseHeaders: DRAFT_HEADERS,
    problems: [
      'MELMASTOON.BFF.TENANT.DRAFT_NOT_FOUND',
      'MELMASTOON.BFF.TENANT.DRAFT_ENDED',
      'MELMASTOON.BFF.TENANT.DRAFT_VERSION_CONFLICT',
      'MELMASTOON.BFF.TENANT.PAYMENT_CAPTURED',
      'MELMASTOON.SESSION.COOKIE_INVALID',
    ],
  } as const
  const options = bookingMutation<DeleteRequest>({ ctx, session, withoutStore: true })
  const remove = idempotent(options, async (request, _claim, { deadline }) => {
    const { params, trace } = request
    const guest = session.requireSessionWithoutStore(request)
    const { site, cause } = bookingActor(ctx, request, guest)
    const own = { tenantId: site.tenantId, sessionId: guest.id, draftId: params.draftId }
    const booking = await deleteDraft(ctx, { ...own, deadline, trace, cause })
    return settlementResponse(ctx, site, booking)
  })
  app.delete('/draft/:draftId', { config, schema }, remove)
}
