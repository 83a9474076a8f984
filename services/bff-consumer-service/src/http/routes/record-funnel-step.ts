import type { App } from '@melmastoon/chassis/http'
import { Type } from 'typebox'
import { FunnelStepBody, recordFunnelStep } from '../../beacons/record-funnel-step.ts'
import type { ConsumerContext } from '../../context.ts'
import { guestActor } from '../request-guest.ts'
import type { Hooks } from './index.ts'

const schema = { body: FunnelStepBody, response: { 204: Type.Null() } }

/** A step that only the browser sees. Without a session it is accepted and dropped. */
export function recordFunnelStepRoute(app: App, ctx: ConsumerContext, { session }: Hooks) {
  const config = { operation: 'consumer.funnel_step.record', limitClass: 'read' } as const
  app.post('/bff/consumer/v1/telemetry/funnel', { config, schema }, (request, reply) => {
    const { body, trace } = request
    const lookup = session.lookupOf(request)
    if (lookup.kind === 'found') {
      const actor = guestActor(ctx, lookup.session, request)
      recordFunnelStep(ctx, { ...actor, body, trace })
    }
    void reply.code(204).send(null)
  })
}
