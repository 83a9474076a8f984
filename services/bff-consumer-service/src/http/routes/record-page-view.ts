import type { App } from '@melmastoon/chassis/http'
import { Type } from 'typebox'
import { PageViewBody, propertyOf } from '../../beacons/page-view.ts'
import { recordPageView } from '../../beacons/record-page-view.ts'
import type { ConsumerContext } from '../../context.ts'
import { guestActor, renewCookieIfDue } from '../request-guest.ts'
import type { Hooks } from './index.ts'

const schema = { body: PageViewBody, response: { 204: Type.Null() } }

/**
 * The beacon of a page, which a CDN may have served. Without a session it is accepted and dropped:
 * a beacon starts no session.
 */
export function recordPageViewRoute(app: App, ctx: ConsumerContext, { session }: Hooks) {
  const config = { operation: 'consumer.page_view.record', limitClass: 'read' } as const
  app.post('/bff/consumer/v1/telemetry/page-view', { config, schema }, (request, reply) => {
    const { body, trace } = request
    const propertyId = propertyOf(body)
    const lookup = session.lookupOf(request)
    if (lookup.kind === 'found') {
      renewCookieIfDue(ctx, reply, lookup.session)
      const actor = guestActor(ctx, lookup.session, request)
      recordPageView(ctx, { ...actor, body, propertyId, trace })
    }
    void reply.code(204).send(null)
  })
}
