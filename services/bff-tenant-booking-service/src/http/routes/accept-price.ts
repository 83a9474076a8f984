import type { App, SchemaRequest } from '@melmastoon/chassis/http'
import { named } from '@melmastoon/upstream-contracts'
import { Type } from 'typebox'
import { DraftVM } from '../../bookings/draft-view.ts'
import type { BookingContext } from '../../context.ts'
import { acceptPrice } from '../../holds/accept-price.ts'
import { Digest } from '../../holds/agreed-quote.ts'
import {
  CHANGE_HOLD_DEADLINE_MS,
  CHANGE_HOLD_PROBLEMS,
  changeHoldHandler,
} from '../change-hold-handler.ts'
import { DRAFT_HEADERS, DraftParams } from './get-draft.ts'
import type { Hooks } from './index.ts'

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
    deadlineMs: CHANGE_HOLD_DEADLINE_MS,
    responseHeaders: DRAFT_HEADERS,
    problems: [...FINAL, ...CHANGE_HOLD_PROBLEMS, 'MELMASTOON.BFF.TENANT.PAYMENT_IN_PROGRESS'],
  } as const
  const accept = changeHoldHandler<AcceptPriceRequest>(ctx, session, {
    finalRejections: FINAL,
    apply: (change, { body }) => acceptPrice(ctx, change, body.digest),
  })
  app.post('/draft/:draftId/accept-price', { config, schema }, accept)
}
