import {
  type App,
  idempotentWrite,
  type SchemaRequest,
  sessionMutation,
} from '@melmastoon/chassis/http'
import { HANDOFF_LIFETIME_MS, HANDOFF_SKEW_MS } from '@melmastoon/security'
import type { ConsumerContext } from '../../context.ts'
import { countRejections } from '../../handoff/count-rejections.ts'
import { BookingHandoffVM, HandoffBody, HandoffParams } from '../../handoff/handoff-fields.ts'
import { mintBookingHandoff } from '../../handoff/mint-booking-handoff.ts'
import { storeSession } from '../../sessions/touch-session.ts'
import { requireGuestActor } from '../request-guest.ts'
import type { Hooks } from './index.ts'

const schema = { params: HandoffParams, body: HandoffBody, response: { 201: BookingHandoffVM } }
/** A link is replayed exactly as long as it can be used. */
const REPLAYED_MS = HANDOFF_LIFETIME_MS + HANDOFF_SKEW_MS
/** Explicit choices only: the session's preferences may change between two attempts. */
const SIGNIFICANT_HEADERS = ['x-currency']

/** Ten times the goal for the 99th percentile under load, doubled for upstreams that are slow. */
const DEADLINE_MS = 5_000

type MintHandoffRequest = SchemaRequest<typeof schema>

/** Creates the signed link from the search to a hotel's own site (C7). */
export function mintHandoffRoute(app: App, ctx: ConsumerContext, { session }: Hooks) {
  const options = sessionMutation<MintHandoffRequest>({ ctx, session, ttlMs: REPLAYED_MS })
  const config = {
    operation: 'consumer.handoff.mint',
    limitClass: 'handoff',
    deadlineMs: DEADLINE_MS,
  } as const
  app.post(
    '/bff/consumer/v1/handoff/:tenantId/:propertyId',
    { config, schema },
    idempotentWrite(
      { ...options, significantHeaders: SIGNIFICANT_HEADERS },
      (request, { deadline }) => {
        const { params, body, trace } = request
        const actor = requireGuestActor(ctx, session, request)
        storeSession(ctx, actor.session)
        return countRejections(ctx.measures.handoffMints, () =>
          mintBookingHandoff(ctx, { ...params, ...actor, body, deadline, trace }),
        )
      },
    ),
  )
}
