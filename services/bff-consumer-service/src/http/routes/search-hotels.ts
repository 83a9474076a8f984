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
import { chooseCurrency } from '../../sessions/choose-currency.ts'
import { chooseLocale } from '../../sessions/choose-locale.ts'
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
    const { page } = asked
    if (guest !== undefined) {
      const warm = peekPage(ctx, page)
      if (warm !== undefined) return answer(ctx, reply, { ...asked, guest, served: warm })
    }
    const isNew = lookup.kind === 'none'
    return answerCold(ctx, reply, { ...asked, guest, isNew, request })
  })
}

function understand(
  ctx: ConsumerContext,
  request: SearchRequest,
  guest: Session<GuestSession> | undefined,
): Asked {
  const visit = readVisit(request)
  const { body } = request
  const locale = chooseLocale({
    explicit: body.locale,
    preferred: guest?.data.localePreference,
    acceptLanguage: visit.acceptLanguage,
  })
  const currency = chooseCurrency({
    explicit: body.currency,
    header: visit.currency,
    preferred: guest?.data.currencyPreference,
  })
  return { visit, page: planPage(body, { locale, currency }, ctx.clock.now()) }
}

interface Cold extends Asked {
  readonly guest: Session<GuestSession> | undefined
  readonly isNew: boolean
  readonly request: SearchRequest
}

async function answerCold(ctx: ConsumerContext, reply: FastifyReply, cold: Cold): Promise<void> {
  const { request, page, isNew } = cold
  const { deadline, trace } = request
  const [served, newcomer] = await Promise.all([
    peekPage(ctx, page) ?? readPage(ctx, page, { deadline, trace }),
    isNew ? welcome(ctx, reply, cold) : undefined,
  ])
  answer(ctx, reply, { ...cold, guest: cold.guest ?? newcomer, served })
}

/** A page is not refused because nobody can remember who asked (D22). */
async function welcome(
  ctx: ConsumerContext,
  reply: FastifyReply,
  { visit, page, request }: Cold,
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
