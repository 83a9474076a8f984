import type { App } from '@melmastoon/chassis/http'
import { named } from '@melmastoon/upstream-contracts'
import { Type } from 'typebox'
import type { BookingContext } from '../../context.ts'
import { adoptCampaign } from '../../handoff/adopt-campaign.ts'
import { arriveWithHandoff } from '../../handoff/arrive-with-handoff.ts'
import { HandoffArrivalVM } from '../../handoff/handoff-payload.ts'
import { bookingActor } from '../request-guest.ts'
import type { Hooks } from './index.ts'

const DEADLINE_MS = 1_500
const TOKEN_MAX_CHARS = 10_240

const schema = {
  body: named(
    'HandoffRequest',
    Type.Object({
      token: Type.String({
        minLength: 1,
        maxLength: TOKEN_MAX_CHARS,
        description: 'The value of `h` in the link that led to this site.',
      }),
    }),
  ),
  response: { 200: HandoffArrivalVM },
}

/**
 * Consumes a handoff (T3). It needs no idempotency key: the token is one, and the same session gets
 * the same arrival again. The session must exist before, so that a lost response loses nothing.
 */
export function consumeHandoffRoute(app: App, ctx: BookingContext, { session }: Hooks): void {
  const config = {
    operation: 'booking.handoff.consume',
    deadlineMs: DEADLINE_MS,
    problems: [
      'MELMASTOON.BFF.TENANT.HANDOFF_SIGNATURE_INVALID',
      'MELMASTOON.BFF.TENANT.HANDOFF_NOT_FOUND',
      'MELMASTOON.BFF.TENANT.HANDOFF_REPLAYED',
      'MELMASTOON.BFF.TENANT.HANDOFF_EXPIRED',
      'MELMASTOON.SESSION.COOKIE_INVALID',
    ],
  } as const
  app.post('/handoff/consume', { config, schema }, async (request, reply) => {
    const actor = bookingActor(ctx, request, session.requireSession(request))
    reply.header('cache-control', 'no-store')
    const arrival = await arriveWithHandoff(ctx, { ...actor, token: request.body.token })
    adoptCampaign(ctx, actor.session, arrival.payload)
    return arrival
  })
}
