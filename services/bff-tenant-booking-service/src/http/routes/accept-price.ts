import { type App, idempotent, type SchemaRequest } from '@melmastoon/chassis/http'
import { named } from '@melmastoon/upstream-contracts'
import { Type } from 'typebox'
import { DraftVM } from '../../bookings/draft-view.ts'
import type { BookingContext } from '../../context.ts'
import { acceptPrice } from '../../holds/accept-price.ts'
import { Digest } from '../../holds/agreed-quote.ts'
import { bookingActor, bookingMutation } from '../request-guest.ts'
import { DRAFT_HEADERS, DraftParams } from './get-draft.ts'
import type { Hooks } from './index.ts'

const DEADLINE_MS = 5_000

const schema = {
  params: DraftParams,
  body: named('AcceptPriceRequest', Type.Object({ digest: Digest })),
  response: { 200: DraftVM },
}
type AcceptPriceRequest = SchemaRequest<typeof schema>

const FINAL = [
  'MELMASTOON.BFF.TENANT.HOLD_EXPIRED',
  'MELMASTOON.BFF.TENANT.PRICE_CHANGED',
  'MELMASTOON.PRICING.QUOTE_EXPIRED',
] as const

/** The consent of the guest to changed terms (T19). */
export function acceptPriceRoute(app: App, ctx: BookingContext, { session }: Hooks) {
  const config = {
    operation: 'booking.price.accept',
    deadlineMs: DEADLINE_MS,
    responseHeaders: DRAFT_HEADERS,
    problems: [
      ...FINAL,
      'MELMASTOON.BFF.TENANT.DRAFT_NOT_FOUND',
      'MELMASTOON.BFF.TENANT.DRAFT_ENDED',
      'MELMASTOON.BFF.TENANT.DRAFT_ILLEGAL_TRANSITION',
      'MELMASTOON.BFF.TENANT.DRAFT_VERSION_CONFLICT',
      'MELMASTOON.BFF.TENANT.PAYMENT_IN_PROGRESS',
      'MELMASTOON.SESSION.COOKIE_INVALID',
    ],
  } as const
  const options = bookingMutation<AcceptPriceRequest>({ ctx, session, withoutStore: true })
  const accept = idempotent(
    { ...options, finalRejections: FINAL },
    (request, claim, { deadline }) => {
      const guest = session.requireSessionWithoutStore(request)
      const { draftId } = request.params
      const actor = { ...bookingActor(ctx, request, guest), deadline }
      return acceptPrice(ctx, { ...actor, draftId, claim }, request.body.digest)
    },
  )
  app.post('/draft/:draftId/accept-price', { config, schema }, accept)
}
