import { type App, eventCause } from '@melmastoon/chassis/http'
import { Type } from 'typebox'
import type { ConsumerContext } from '../../context.ts'
import { PageViewBody, propertyOf } from '../../telemetry/page-view.ts'
import { recordPageView } from '../../telemetry/record-page-view.ts'
import { greetGuest } from '../greet-guest.ts'
import { readVisit } from '../read-visit.ts'
import type { Hooks } from './index.ts'

const schema = { body: PageViewBody, response: { 204: Type.Null() } }

/**
 * The page's own beacon, because a CDN may have answered for us. Without a session there is nobody
 * to tell of, and a beacon begins none: it is taken and dropped.
 */
export function recordPageViewRoute(app: App, ctx: ConsumerContext, { session }: Hooks) {
  const config = { operation: 'consumer.page_view.record', limitClass: 'read' } as const
  app.post('/bff/consumer/v1/telemetry/page-view', { config, schema }, (request, reply) => {
    const { body: told, trace } = request
    const propertyId = propertyOf(told)
    const lookup = session.lookupOf(request)
    if (lookup.kind === 'found') {
      const { session: guest } = lookup
      greetGuest(ctx, reply, guest)
      const visit = readVisit(request)
      const cause = () => eventCause(ctx, request)
      recordPageView(ctx, { session: guest, visit, cause, told, propertyId, trace })
    }
    void reply.code(204).send(null)
  })
}
