import { type App, type SchemaRequest, sendCached } from '@melmastoon/chassis/http'
import type { Session } from '@melmastoon/chassis/sessions'
import { isProblem } from '@melmastoon/domain'
import type { FastifyReply } from 'fastify'
import type { ConsumerContext } from '../../context.ts'
import { identifySearch } from '../../search/identify-search.ts'
import { planPage } from '../../search/plan-page.ts'
import { peekPage, readPage, type ServedPage } from '../../search/read-page.ts'
import { SearchBody } from '../../search/search-fields.ts'
import { SearchPage } from '../../search/search-page.ts'
import type { PageRequest } from '../../search/search-query.ts'
import { choosePreferences } from '../../sessions/choose-preferences.ts'
import type { GuestSession } from '../../sessions/guest-session.ts'
import { keepSession } from '../../sessions/keep-session.ts'
import { openSession } from '../../sessions/open-session.ts'
import type { Visit } from '../../sessions/visit.ts'
import { reportSearch } from '../../telemetry/report-search.ts'
import { eventCause } from '../event-cause.ts'
import { readVisit } from '../read-visit.ts'
import { renewSessionCookie, setSessionCookie } from '../session-cookie.ts'
import type { Hooks } from './index.ts'

/** For the whole answer, whatever the upstreams do. */
const DEADLINE_MS = 2_500
const schema = { body: SearchBody, response: { 200: SearchPage } }
const CACHING = { cacheControl: 'private, no-cache', vary: 'Accept-Language, X-Currency, Cookie' }

type SearchRequest = SchemaRequest<typeof schema>

interface Asked {
  readonly visit: Visit
  readonly page: PageRequest
}

/**
 * A question, asked by POST because it is long. Its answer is shared by all who ask the same; what
 * is the guest's own, her session and her search, travels in headers. The warm path answers without
 * a promise.
 */
export function searchHotelsRoute(app: App, ctx: ConsumerContext, { session }: Hooks) {
  const config = { operation: 'consumer.search.list', deadlineMs: DEADLINE_MS }
  app.post('/bff/consumer/v1/search', { config, schema }, (request, reply) => {
    const lookup = session.lookupOf(request)
    const guest = lookup.kind === 'found' ? lookup.session : undefined
    const asked = understand(ctx, request, guest)
    const isNew = lookup.kind === 'none'
    const warm = peekPage(ctx, asked.page)
    if (warm !== undefined && !isNew) return answer(ctx, reply, { ...asked, guest, served: warm })
    return answerInTime(ctx, reply, { ...asked, guest, isNew, warm, request })
  })
}

function understand(
  ctx: ConsumerContext,
  request: SearchRequest,
  guest: Session<GuestSession> | undefined,
): Asked {
  const visit = readVisit(request)
  const { body } = request
  const preferences = choosePreferences({ said: body, visit, kept: guest?.data })
  return { visit, page: planPage(body, preferences, ctx.clock.now()) }
}

interface Waiting extends Asked {
  readonly guest: Session<GuestSession> | undefined
  readonly isNew: boolean
  readonly warm: ServedPage | undefined
  readonly request: SearchRequest
}

/** The page, a session, or both are still to be had. */
async function answerInTime(
  ctx: ConsumerContext,
  reply: FastifyReply,
  waiting: Waiting,
): Promise<void> {
  const { request, page, isNew, warm } = waiting
  const [served, newcomer] = await Promise.all([
    warm ?? readPage(ctx, page, { deadline: request.deadline, trace: request.trace }),
    isNew ? welcome(ctx, reply, waiting) : undefined,
  ])
  answer(ctx, reply, { ...waiting, guest: waiting.guest ?? newcomer, served })
}

/** A page is not refused because nobody can remember who asked (D22). */
async function welcome(
  ctx: ConsumerContext,
  reply: FastifyReply,
  { visit, page, request }: Waiting,
): Promise<Session<GuestSession> | undefined> {
  const { locale, currency } = page
  try {
    const newcomer = { visit, locale, currency }
    const opened = await openSession(ctx, newcomer, eventCause(ctx, request))
    setSessionCookie(reply, opened.cookieValue)
    return opened.session
  } catch (error) {
    if (isProblem(error)) return undefined
    throw error
  }
}

interface Answered extends Asked {
  readonly guest: Session<GuestSession> | undefined
  readonly served: ServedPage
}

function answer(ctx: ConsumerContext, reply: FastifyReply, answered: Answered): void {
  const { guest, served, page, visit } = answered
  if (guest !== undefined) {
    if (keepSession(ctx, guest).renewsCookie) renewSessionCookie(reply)
    const resultCount = served.facts.total
    const search = identifySearch(ctx, { session: guest, page, resultCount })
    reply.header('x-search-session', search.id)
    const cause = () => eventCause(ctx, reply.request)
    reportSearch(ctx, { session: guest, visit, search, page, served, cause })
  }
  sendCached(reply, served.bytes, { ...CACHING, servedFor: served.origin })
}
