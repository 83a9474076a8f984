import { addHeader, eventCause, sendCached } from '@melmastoon/chassis/http'
import { isProblem } from '@melmastoon/domain'
import type { FastifyReply } from 'fastify'
import type { ConsumerContext } from '../context.ts'
import { identifySearch } from '../search/identify-search.ts'
import type { PageRequest } from '../search/search-query.ts'
import type { ServedPage } from '../search/served-page.ts'
import type { GuestSession } from '../sessions/guest-session.ts'
import { openSession } from '../sessions/open-session.ts'
import type { Visit } from '../sessions/visit.ts'
import { reportSearch } from '../telemetry/report-search.ts'
import { greetGuest } from './greet-guest.ts'
import type { Visitor } from './meet-visitor.ts'
import { setSessionCookie } from './session-cookie.ts'

const CACHING = { cacheControl: 'private, no-cache', vary: 'Accept-Language, X-Currency, Cookie' }

export interface AskedSearch extends Visitor {
  readonly page: PageRequest
  /** The answer, if this process has it ready. */
  readonly warm: ServedPage | undefined
  readonly read: () => Promise<ServedPage>
}

/**
 * A question, asked by POST because it is long. Its answer is shared by all who ask the same; what
 * is the guest's own, her session and her search, travels in headers. The warm path answers without
 * a promise.
 */
export function serveSearch(
  ctx: ConsumerContext,
  reply: FastifyReply,
  asked: AskedSearch,
): void | Promise<void> {
  const { warm, isNew } = asked
  if (warm !== undefined && !isNew) return answer(ctx, reply, { ...asked, served: warm })
  return answerInTime(ctx, reply, asked)
}

/** The page, a session, or both are still to be had. */
async function answerInTime(
  ctx: ConsumerContext,
  reply: FastifyReply,
  asked: AskedSearch,
): Promise<void> {
  const { warm, isNew, guest } = asked
  const [served, newcomer] = await Promise.all([
    warm ?? asked.read(),
    isNew ? welcome(ctx, reply, asked) : undefined,
  ])
  answer(ctx, reply, { ...asked, guest: guest ?? newcomer, served })
}

/** A page is not refused because nobody can remember who asked (D22). */
async function welcome(
  ctx: ConsumerContext,
  reply: FastifyReply,
  { visit, page }: AskedSearch,
): Promise<GuestSession | undefined> {
  const { locale, currency } = page
  try {
    const newcomer = { visit, locale, currency, hasChosen: false }
    const opened = await openSession(ctx, newcomer, eventCause(ctx, reply.request))
    setSessionCookie(reply, opened.cookieValue)
    return opened.session
  } catch (error) {
    if (isProblem(error)) return undefined
    throw error
  }
}

interface Answered {
  readonly isNew: boolean
  readonly visit: Visit
  readonly guest: GuestSession | undefined
  readonly page: PageRequest
  readonly served: ServedPage
}

function answer(ctx: ConsumerContext, reply: FastifyReply, answered: Answered): void {
  const { guest, served, page, visit, isNew } = answered
  if (guest !== undefined) {
    greetGuest(ctx, reply, guest)
    const resultCount = served.facts.total
    const search = identifySearch(ctx, { session: guest, page, resultCount, isNewSession: isNew })
    addHeader(reply, 'x-search-session', search.id)
    const cause = () => eventCause(ctx, reply.request)
    reportSearch(ctx, { session: guest, visit, search, page, served, cause })
  }
  sendCached(reply, served.bytes, { ...CACHING, servedFor: served.origin })
}
