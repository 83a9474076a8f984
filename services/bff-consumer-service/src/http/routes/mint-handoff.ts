import { type App, idempotent, type SchemaRequest } from '@melmastoon/chassis/http'
import { HANDOFF_LIFETIME_MS, HANDOFF_SKEW_MS } from '@melmastoon/security'
import type { ConsumerContext } from '../../context.ts'
import { countRefusals } from '../../handoff/count-refusals.ts'
import { BookingHandoffVM, HandoffBody, HandoffParams } from '../../handoff/handoff-fields.ts'
import { mintBookingHandoff } from '../../handoff/mint-booking-handoff.ts'
import { guestMutation } from '../guest-mutation.ts'
import { witness } from '../witness.ts'
import type { Hooks } from './index.ts'

const schema = { params: HandoffParams, body: HandoffBody, response: { 201: BookingHandoffVM } }
/** A link is given again for as long as it is good for anything, and not a moment longer. */
const REPLAYED_MS = HANDOFF_LIFETIME_MS + HANDOFF_SKEW_MS
/** What she says in so many words; what her session prefers may change between two attempts. */
const SIGNIFICANT_HEADERS = ['x-currency']

type MintRequest = SchemaRequest<typeof schema>

/** The way from the search to a hotel's own site (C7). */
export function mintHandoffRoute(app: App, ctx: ConsumerContext, { session }: Hooks) {
  const options = guestMutation<MintRequest>({ ctx, session, ttlMs: REPLAYED_MS })
  app.post(
    '/bff/consumer/v1/handoff/:tenantId/:propertyId',
    { config: { operation: 'consumer.handoff.mint', traffic: 'handoff' }, schema },
    idempotent(
      { ...options, significantHeaders: SIGNIFICANT_HEADERS },
      async (request, claim, { deadline }) => {
        const { params, body, trace } = request
        await countRefusals(ctx.measures.handoffMints, () =>
          mintBookingHandoff(ctx, {
            ...params,
            ...witness(ctx, session, request),
            body,
            claim,
            deadline,
            trace,
          }),
        )
        ctx.measures.handoffMints.inc({ outcome: 'minted' })
        return undefined
      },
    ),
  )
}
