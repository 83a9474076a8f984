import { readStay, StayQuery } from '@melmastoon/bff/stays'
import type { App } from '@melmastoon/chassis/http'
import { text } from '@melmastoon/upstream-contracts'
import { Type } from 'typebox'
import { compareHotels } from '../../compare/compare-hotels.ts'
import { ComparisonVM } from '../../compare/comparison.ts'
import { readIds } from '../../compare/read-ids.ts'
import type { ConsumerContext } from '../../context.ts'
import { choosePreferences } from '../../sessions/choose-preferences.ts'
import { greetGuest } from '../greet-guest.ts'
import { meetVisitor } from '../meet-visitor.ts'
import { sendPrivateJson } from '../send-private-json.ts'
import type { Hooks } from './index.ts'

const DEADLINE_MS = 2_500
const Query = Type.Object({
  ids: Type.Unsafe<string>({ ...text(200), description: 'One to three hotels, divided by commas' }),
  ...StayQuery.properties,
})
const schema = { querystring: Query, response: { 200: ComparisonVM } }

/** Up to three hotels side by side; with a stay, with their prices for it. */
export function compareHotelsRoute(app: App, ctx: ConsumerContext, { session }: Hooks) {
  const config = { operation: 'consumer.comparison.read', deadlineMs: DEADLINE_MS }
  app.get('/bff/consumer/v1/compare', { config, schema }, async (request, reply) => {
    const propertyIds = readIds(request.query.ids)
    const asked = readStay(request.query, ctx.clock.now())
    const { guest, visit } = meetVisitor(session, request)
    greetGuest(ctx, reply, guest)
    const preferences = choosePreferences({ said: {}, visit, kept: guest?.data })
    const { deadline, trace } = request
    const call = { ...preferences, ...asked, deadline, trace }
    const comparison = await compareHotels(ctx, propertyIds, call)
    // Nothing in it is about her, but its language and currency are her choice.
    sendPrivateJson(reply, comparison, 'private, no-cache')
  })
}
