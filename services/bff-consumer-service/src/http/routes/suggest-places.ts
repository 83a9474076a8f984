import { type App, addHeader, sendCached } from '@melmastoon/chassis/http'
import { SEARCH_TEXT_MAX } from '@melmastoon/upstream-contracts/search'
import { Type } from 'typebox'
import type { ConsumerContext } from '../../context.ts'
import { readSuggestions } from '../../suggestions/read-suggestions.ts'
import {
  LIMIT_DEFAULT,
  LIMIT_MAX,
  normalizeTyped,
  readSuggestionStay,
  SuggestionStayQuery,
  Suggestions,
} from '../../suggestions/suggestion-schema.ts'
import { TEXT_QUERY } from '../preference-query.ts'
import { choosePrivatePreferences } from '../private-preferences.ts'
import { dropOwnHeaders } from '../public-document.ts'
import { readRequestGuest } from '../request-guest.ts'
import type { Hooks } from './index.ts'

const DEADLINE_MS = 2_000
const schema = {
  querystring: Type.Object({
    q: Type.Optional(
      Type.String({
        maxLength: SEARCH_TEXT_MAX.suggestion,
        description: 'The beginning of a name. Without text: the most popular places',
      }),
    ),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: LIMIT_MAX, default: LIMIT_DEFAULT })),
    ...TEXT_QUERY,
    ...SuggestionStayQuery,
  }),
  response: { 200: Suggestions },
}
const SHARED = { cacheControl: 'public, max-age=60' }
/** The language comes from the session or the browser. */
const PERSONAL = { cacheControl: 'private, max-age=60', vary: 'Accept-Language, Cookie' }

/** Autocompletion. It starts no session and sets no cookie. */
export function suggestPlacesRoute(app: App, ctx: ConsumerContext, { session }: Hooks) {
  const config = {
    operation: 'consumer.suggestion.list',
    deadlineMs: DEADLINE_MS,
  } as const
  app.get('/bff/consumer/v1/suggest', { config, schema }, async (request, reply) => {
    const { q = '', limit = LIMIT_DEFAULT, locale: explicit } = request.query
    const sender = readRequestGuest(session, request)
    const { locale } = choosePrivatePreferences(sender, request.query)
    const { deadline, trace } = request
    const stay = readSuggestionStay(request.query, ctx.clock.now())
    const requested = { typed: normalizeTyped(q), limit, locale, stay }
    const found = await readSuggestions(ctx, requested, { deadline, trace })
    if (explicit !== undefined) dropOwnHeaders(reply)
    addHeader(reply, 'content-language', locale)
    sendCached(reply, found, explicit === undefined ? PERSONAL : SHARED)
    return reply
  })
}
