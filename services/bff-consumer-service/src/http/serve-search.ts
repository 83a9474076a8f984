import type { UpstreamCall } from '@melmastoon/bff/upstreams'
import { addHeader, eventCause, sendCached } from '@melmastoon/chassis/http'
import { isProblem } from '@melmastoon/domain'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ConsumerContext } from '../context.ts'
import { identifySearch, type RecentSearch } from '../search/identify-search.ts'
import type { Preferences } from '../search/plan-page.ts'
import { reportSearch } from '../search/report-search.ts'
import type { PageRequest } from '../search/search-query.ts'
import type { ServedPage } from '../search/served-page.ts'
import { guestPreferences } from '../sessions/guest-preferences.ts'
import type { GuestSession } from '../sessions/guest-session.ts'
import { startSession } from '../sessions/start-session.ts'
import { PRIVATE_VARY } from './private-preferences.ts'
import {
  type GuestSessionHook,
  type RequestGuest,
  readRequestGuest,
  renewCookieIfDue,
  setGuestCookie,
} from './request-guest.ts'

/** The route configuration of lists and maps. The deadline is that of the whole response. */
export const SEARCH_CONFIG = {
  deadlineMs: 2_500,
  cachesBodies: true,
  limitClass: 'read',
} as const

export const SEARCH_CACHING = { cacheControl: 'private, no-cache', vary: PRIVATE_VARY }

/** How lists and maps differ. */
export interface SearchOperation<Body, Page extends PageRequest> {
  readonly plan: (body: Body, preferences: Preferences, nowMs: number) => Page
  /** The page, if this process has it in memory. */
  readonly peek: (ctx: ConsumerContext, page: Page) => ServedPage | undefined
  readonly read: (ctx: ConsumerContext, page: Page, call: UpstreamCall) => Promise<ServedPage>
}

export interface SearchExchange<Body> {
  readonly session: GuestSessionHook
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly body: Body
}

/**
 * A search by POST, because queries are long. The response is shared by all guests with the same
 * query; the guest's session and search are in headers. A page in memory is sent without a promise.
 */
export function serveSearch<
  Body extends { readonly locale?: string; readonly currency?: string },
  Page extends PageRequest,
>(
  ctx: ConsumerContext,
  { session, request, reply, body }: SearchExchange<Body>,
  { plan, peek, read }: SearchOperation<Body, Page>,
): void | Promise<void> {
  const sender = readRequestGuest(session, request)
  const { client, guest, isNew } = sender
  const preferences = guestPreferences.choose({ body, client, stored: guest?.data })
  const page = plan(body, preferences, ctx.clock.nowMs())
  const warm = peek(ctx, page)
  if (warm !== undefined && !isNew) return respond(ctx, reply, { ...sender, page, served: warm })
  const { deadline, trace } = request
  const reading = warm ?? read(ctx, page, { deadline, trace })
  return respondLater(ctx, reply, { ...sender, page, reading })
}

interface PendingSearch extends RequestGuest {
  readonly page: PageRequest
  readonly reading: ServedPage | Promise<ServedPage>
}

/** The page, the session or both are not available yet. */
async function respondLater(
  ctx: ConsumerContext,
  reply: FastifyReply,
  { reading, ...pending }: PendingSearch,
): Promise<void> {
  const [served, started] = await Promise.all([
    reading,
    pending.isNew ? startIfPossible(ctx, reply, pending) : undefined,
  ])
  respond(ctx, reply, { ...pending, guest: pending.guest ?? started, served })
}

/** A search does not fail because a session cannot be started (D22). */
async function startIfPossible(
  ctx: ConsumerContext,
  reply: FastifyReply,
  { client, page }: Pick<PendingSearch, 'client' | 'page'>,
): Promise<GuestSession | undefined> {
  const { locale, currency } = page
  try {
    const cause = eventCause(ctx, reply.request)
    const newSession = { client, locale, currency, hasChosen: false, cause }
    const { session, cookieValue } = await startSession(ctx, newSession)
    setGuestCookie(reply, cookieValue)
    return session
  } catch (error) {
    if (isProblem(error)) return undefined
    throw error
  }
}

interface CompletedSearch extends RequestGuest {
  readonly page: PageRequest
  readonly served: ServedPage
}

function respond(ctx: ConsumerContext, reply: FastifyReply, completed: CompletedSearch): void {
  const { guest, served, page } = completed
  if (guest !== undefined) {
    renewCookieIfDue(ctx, reply, guest)
    const search = recordSearch(ctx, reply.request, { ...completed, guest })
    addHeader(reply, 'x-search-session', search.id)
  }
  addHeader(reply, 'content-language', page.locale)
  sendCached(reply, served.bytes, { ...SEARCH_CACHING, servedFor: served.origin })
}

interface RecordedSearch extends CompletedSearch {
  readonly guest: GuestSession
}

/** Stores and reports the search in the background. */
export function recordSearch(
  ctx: ConsumerContext,
  request: Parameters<typeof eventCause>[1],
  { guest: session, served, page, client, isNew }: RecordedSearch,
): RecentSearch {
  const resultCount = served.facts.total
  const search = identifySearch(ctx, { session, page, resultCount, isNewSession: isNew })
  const cause = () => eventCause(ctx, request)
  reportSearch(ctx, { session, client, search, page, served, cause })
  return search
}
