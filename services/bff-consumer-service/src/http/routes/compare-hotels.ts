import { readStay, StayQuery } from '@melmastoon/bff/stays'
import { type App, addHeader, sendPrivateJson } from '@melmastoon/chassis/http'
import { text } from '@melmastoon/upstream-contracts'
import { Type } from 'typebox'
import { compareHotels } from '../../compare/compare-hotels.ts'
import { ComparisonVM, readIds } from '../../compare/comparison.ts'
import type { ConsumerContext } from '../../context.ts'
import { PREFERENCE_QUERY } from '../preference-query.ts'
import { choosePrivatePreferences } from '../private-preferences.ts'
import { readRequestGuest, renewCookieIfDue } from '../request-guest.ts'
import type { Hooks } from './index.ts'

const DEADLINE_MS = 2_500
const Query = Type.Object({
  ids: Type.Unsafe<string>({
    ...text(200),
    description: 'Ids of one to three hotels, separated by commas',
  }),
  ...PREFERENCE_QUERY,
  ...StayQuery.properties,
})
const schema = { querystring: Query, response: { 200: ComparisonVM } }

/** Compares up to three hotels; with a stay, including their prices. */
export function compareHotelsRoute(app: App, ctx: ConsumerContext, { session }: Hooks) {
  const config = {
    operation: 'consumer.comparison.read',
    deadlineMs: DEADLINE_MS,
  } as const
  app.get('/bff/consumer/v1/compare', { config, schema }, async (request, reply) => {
    const propertyIds = readIds(request.query.ids)
    const requested = readStay(request.query, ctx.clock.now())
    const sender = readRequestGuest(session, request)
    renewCookieIfDue(ctx, reply, sender.guest)
    const preferences = choosePrivatePreferences(sender, request.query)
    const { deadline, trace } = request
    const call = { ...preferences, ...requested, deadline, trace }
    const comparison = await compareHotels(ctx, propertyIds, call)
    addHeader(reply, 'content-language', preferences.locale)
    // It contains nothing about the guest, but depends on their language and currency.
    sendPrivateJson(reply, comparison, 'private, no-cache')
  })
}
