import { type App, idempotent, type SchemaRequest } from '@melmastoon/chassis/http'
import { DraftVM } from '../../bookings/draft-view.ts'
import type { BookingContext } from '../../context.ts'
import { HoldBody } from '../../holds/agreed-quote.ts'
import { placeHold, reportHoldError } from '../../holds/place-hold.ts'
import { replaceHold } from '../../holds/replace-hold.ts'
import { bookingActor, bookingMutation } from '../request-guest.ts'
import { DRAFT_HEADERS } from './get-draft.ts'
import type { Hooks } from './index.ts'

const DEADLINE_MS = 6_000

const schema = { body: HoldBody, response: { 201: DraftVM } }
type PlaceHoldRequest = SchemaRequest<typeof schema>

/** The reservation service repeats these for the same key, so this service does, too. */
const FINAL = [
  'MELMASTOON.BFF.TENANT.SOLD_OUT',
  'MELMASTOON.BFF.TENANT.PRICE_CHANGED',
  'MELMASTOON.BFF.TENANT.STAY_GONE',
  'MELMASTOON.BFF.TENANT.DRAFT_VERSION_CONFLICT',
  'MELMASTOON.PRICING.QUOTE_EXPIRED',
  'MELMASTOON.INVENTORY.HOLD_LIMIT_REACHED',
] as const

/** Holds the rooms of a quote for the guest (T6). */
export function placeHoldRoute(app: App, ctx: BookingContext, { session }: Hooks) {
  const config = {
    operation: 'booking.hold.place',
    deadlineMs: DEADLINE_MS,
    responseHeaders: DRAFT_HEADERS,
    problems: [
      ...FINAL,
      'MELMASTOON.PRICING.QUOTE_NOT_FOUND',
      'MELMASTOON.BFF.TENANT.DRAFT_NOT_FOUND',
      'MELMASTOON.BFF.TENANT.HANDOFF_NOT_FOUND',
      'MELMASTOON.BFF.TENANT.DRAFT_ENDED',
      'MELMASTOON.BFF.TENANT.DRAFT_ILLEGAL_TRANSITION',
      'MELMASTOON.BFF.TENANT.PAYMENT_IN_PROGRESS',
      'MELMASTOON.SESSION.COOKIE_INVALID',
    ],
  } as const
  const options = bookingMutation<PlaceHoldRequest>({ ctx, session, withoutStore: true })
  const place = idempotent(
    { ...options, finalRejections: FINAL },
    async (request, claim, { deadline }) => {
      const { body } = request
      const guest = session.requireSessionWithoutStore(request)
      const wanted = { ...bookingActor(ctx, request, guest), deadline, body, claim }
      const held =
        body.draftId === undefined ? placeHold(ctx, wanted) : replaceHold(ctx, wanted, body.draftId)
      return await held.catch(reportHoldError(ctx, wanted))
    },
  )
  app.post('/hold', { config, schema }, place)
}
