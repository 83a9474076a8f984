import { type App, idempotent, type SchemaRequest } from '@melmastoon/chassis/http'
import { named } from '@melmastoon/upstream-contracts'
import type { BookingContext } from '../../context.ts'
import { chooseProperty } from '../../properties/choose-property.ts'
import { createQuote } from '../../quotes/create-quote.ts'
import { QuoteBody, QuoteVM } from '../../quotes/quote-view.ts'
import { reportFlowError } from '../../telemetry/report-flow-error.ts'
import { bookingActor, bookingMutation } from '../request-guest.ts'
import type { Hooks } from './index.ts'

const DEADLINE_MS = 3_000

const schema = { body: QuoteBody, response: { 201: named('Quote', QuoteVM) } }
type CreateQuoteRequest = SchemaRequest<typeof schema>

/** A price that can be held until it expires; it is compared again before a payment (T5). */
export function createQuoteRoute(app: App, ctx: BookingContext, { session }: Hooks) {
  const config = {
    operation: 'booking.quote.create',
    deadlineMs: DEADLINE_MS,
    problems: [
      'MELMASTOON.PROPERTY.NOT_FOUND',
      'MELMASTOON.PRICING.STAY_INVALID',
      'MELMASTOON.PRICING.NO_RATE',
      'MELMASTOON.PRICING.RESTRICTED',
      'MELMASTOON.PRICING.PROMOTION_REFUSED',
      'MELMASTOON.BFF.TENANT.QUOTE_UNAVAILABLE',
      'MELMASTOON.SESSION.COOKIE_INVALID',
    ],
  } as const
  const options = bookingMutation<CreateQuoteRequest>({ ctx, session, withoutStore: true })
  const create = idempotent(options, async (request, claim, { deadline }) => {
    const { body, trace } = request
    const guest = session.requireSessionWithoutStore(request)
    const actor = bookingActor(ctx, request, guest)
    const { site, locale, currency } = actor
    const { tenantId } = site
    const call = { deadline, trace }
    const propertyId = await chooseProperty(
      ctx,
      { tenantId, propertyId: body.propertyId, pointer: '/propertyId' },
      call,
    )
    const upstreamKey = (step: string) => claim.upstreamKey(step)
    const requested = { tenantId, propertyId, body, locale, currency, upstreamKey, ...call }
    const quote = await createQuote(ctx, requested).catch(reportFlowError(ctx, actor, 'quoting'))
    return { response: { status: 201, body: quote } }
  })
  app.post('/quote', { config, schema }, create)
}
