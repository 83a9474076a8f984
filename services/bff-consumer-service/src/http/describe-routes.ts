import type { ResponseHeader } from '@melmastoon/chassis/http'
import type { ProblemCode } from '@melmastoon/domain'
import type { FastifyContextConfig, RouteOptions } from 'fastify'

type Description = Pick<
  FastifyContextConfig,
  'problems' | 'responseHeaders' | 'revalidates' | 'readsSession'
>

const LIMITS = ['RateLimit', 'RateLimit-Policy'] as const
const CACHED = ['Age', 'Cache-Control', 'ETag', 'Vary', 'X-Cache'] as const

const NO_SESSION = ['MELMASTOON.SESSION.COOKIE_INVALID'] as const
const LOCALE = ['MELMASTOON.BFF.CONSUMER.LOCALE_NOT_SUPPORTED'] as const
const CURRENCY = ['MELMASTOON.BFF.CONSUMER.CURRENCY_NOT_SUPPORTED'] as const
const PREFERENCES = [...LOCALE, ...CURRENCY] as const
const HOTEL = ['MELMASTOON.PROPERTY.NOT_FOUND'] as const
const UPSTREAMS = [
  'MELMASTOON.BFF.CONSUMER.UPSTREAM_BUDGET_EXCEEDED',
  'MELMASTOON.BFF.UPSTREAM_CONTRACT_BROKEN',
  'MELMASTOON.BFF.UPSTREAM_REQUEST_REJECTED',
  'MELMASTOON.BFF.UPSTREAM_TIMEOUT',
  'MELMASTOON.BFF.UPSTREAM_UNAVAILABLE',
] as const
const STAY = ['MELMASTOON.SEARCH.STAY_INVALID'] as const

/** A document for everybody: rate limits concern one caller, so it has none of their headers. */
const publicDocument = (...problems: ProblemCode[]): Description => ({
  responseHeaders: [...CACHED, 'Content-Language'],
  revalidates: true,
  problems,
})

/** Prices and suggestions: stored by the client only, and in the language of the session. */
const cachedRead = (...problems: ProblemCode[]): Description => ({
  responseHeaders: [...CACHED, ...LIMITS, 'Content-Language'],
  revalidates: true,
  readsSession: true,
  problems,
})

/** What belongs to a session, or depends on it. */
const privateRead = (...problems: ProblemCode[]): Description => ({
  responseHeaders: ['Cache-Control', ...LIMITS, 'Content-Language', 'Set-Cookie'],
  readsSession: true,
  problems,
})

const search = (...problems: ProblemCode[]): Description => ({
  responseHeaders: [...CACHED, ...LIMITS, 'Content-Language', 'Set-Cookie', 'X-Search-Session'],
  readsSession: true,
  problems: [...PREFERENCES, ...UPSTREAMS, ...problems],
})

/** Of data that belongs to a session. */
const change = (...problems: ProblemCode[]): Description => ({
  responseHeaders: ['Cache-Control', ...LIMITS],
  problems: [...NO_SESSION, ...problems],
})

const beacon: Description = {
  responseHeaders: [...LIMITS, 'Set-Cookie'],
  readsSession: true,
  problems: [],
}

/** By operation; all of them are limited. */
const ROUTES: Readonly<Record<string, Description>> = {
  'consumer.session.start': {
    responseHeaders: ['Cache-Control', ...LIMITS, 'Set-Cookie'],
    readsSession: true,
    problems: [...PREFERENCES],
  },
  'consumer.session.read': {
    responseHeaders: ['Cache-Control', ...LIMITS, 'Set-Cookie'],
    problems: [...NO_SESSION],
  },
  'consumer.session.clear': {
    responseHeaders: ['Cache-Control', ...LIMITS, 'Set-Cookie'],
    readsSession: true,
    problems: [],
  },
  'consumer.locale.list': publicDocument(...PREFERENCES),
  'consumer.message.list': publicDocument(),
  'consumer.locale.set': change(...LOCALE),
  'consumer.currency.set': change(...CURRENCY),
  'consumer.consent.set': change(),
  'consumer.search.list': search(
    'MELMASTOON.SEARCH.AREA_INVALID',
    'MELMASTOON.SEARCH.CURSOR_INVALID',
    'MELMASTOON.SEARCH.PRICE_RANGE_INVALID',
    ...STAY,
  ),
  'consumer.search.map': search(
    'MELMASTOON.SEARCH.AREA_INVALID',
    'MELMASTOON.SEARCH.PRICE_RANGE_INVALID',
    ...STAY,
  ),
  'consumer.suggestion.list': cachedRead(...PREFERENCES, ...UPSTREAMS),
  'consumer.facet.list': publicDocument(...PREFERENCES, ...UPSTREAMS),
  'consumer.hotel.get': publicDocument(...HOTEL, ...PREFERENCES, ...UPSTREAMS),
  'consumer.hotel.price': cachedRead(...HOTEL, ...PREFERENCES, ...UPSTREAMS),
  'consumer.hotel.offers': cachedRead(...HOTEL, ...PREFERENCES, ...STAY, ...UPSTREAMS),
  'consumer.hotel.calendar': cachedRead(...HOTEL, ...PREFERENCES, ...STAY, ...UPSTREAMS),
  'consumer.availability.read': {
    ...publicDocument(...HOTEL, ...PREFERENCES, ...STAY, ...UPSTREAMS),
    responseHeaders: [...CACHED],
  },
  'consumer.comparison.read': privateRead(...PREFERENCES, ...UPSTREAMS),
  'consumer.wishlist.list': privateRead(...PREFERENCES, ...UPSTREAMS),
  'consumer.wishlist.add': change(
    ...HOTEL,
    'MELMASTOON.BFF.CONSUMER.WISHLIST_LIMIT_EXCEEDED',
    ...UPSTREAMS,
  ),
  'consumer.wishlist.remove': change(),
  'consumer.recently_viewed.list': privateRead(...PREFERENCES, ...UPSTREAMS),
  'consumer.handoff.mint': change(
    ...HOTEL,
    ...PREFERENCES,
    'MELMASTOON.BFF.CONSUMER.HANDOFF_FIELD_INVALID',
    'MELMASTOON.BFF.CONSUMER.STAY_NOT_BOOKABLE',
    'MELMASTOON.BFF.CONSUMER.TENANT_SUSPENDED',
    'MELMASTOON.TENANT.NOT_FOUND',
    ...UPSTREAMS,
  ),
  'consumer.page_view.record': beacon,
  'consumer.funnel_step.record': beacon,
  'consumer.challenge.issue': { responseHeaders: ['Cache-Control', ...LIMITS], problems: [] },
}

/** Headers, cookies, 304 and problem codes of a route, for the document only. */
export function describeRoute(route: RouteOptions, isGuarded: boolean): void {
  const { config = {} } = route
  const described = ROUTES[config.operation ?? '']
  if (described === undefined) return
  const { problems: ownProblems = [], responseHeaders: ownHeaders = [] } = config
  const { problems = [], responseHeaders = [], ...rest } = described
  const limits: readonly ProblemCode[] = isGuarded
    ? ['MELMASTOON.GENERAL.RATE_LIMITED', 'MELMASTOON.BFF.CONSUMER.SUSPECTED_BOT']
    : ['MELMASTOON.GENERAL.RATE_LIMITED']
  const headers: ResponseHeader[] = [...new Set([...ownHeaders, ...responseHeaders])]
  route.config = {
    ...config,
    ...rest,
    problems: [...new Set([...ownProblems, ...problems, ...limits])],
    responseHeaders: headers,
  }
}
