import { type App, eventCause } from '@melmastoon/chassis/http'
import { Type } from 'typebox'
import type { ConsumerContext } from '../../context.ts'
import { FunnelStepBody } from '../../telemetry/funnel-step.ts'
import { recordFunnelStep } from '../../telemetry/record-funnel-step.ts'
import { readVisit } from '../read-visit.ts'
import type { Hooks } from './index.ts'

const schema = { body: FunnelStepBody, response: { 204: Type.Null() } }

/** A step that only the browser sees. Without a session it is taken and dropped. */
export function recordFunnelStepRoute(app: App, ctx: ConsumerContext, { session }: Hooks) {
  const config = { operation: 'consumer.funnel_step.record', limitClass: 'read' } as const
  app.post('/bff/consumer/v1/telemetry/funnel', { config, schema }, (request, reply) => {
    const { body: told, trace } = request
    const lookup = session.lookupOf(request)
    if (lookup.kind === 'found') {
      const { session: guest } = lookup
      const cause = () => eventCause(ctx, request)
      recordFunnelStep(ctx, { session: guest, visit: readVisit(request), cause, told, trace })
    }
    void reply.code(204).send(null)
  })
}
