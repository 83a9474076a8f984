import { type ClientInfo, readClientInfo } from '@melmastoon/bff/guests'
import { type FastRequest, readCookie } from '@melmastoon/chassis/http'
import {
  addRateLimitHeaders,
  checkLimitsNow,
  holdLimits,
  type LimitDecision,
  type RequestLimits,
} from '@melmastoon/chassis/limits'
import { assessmentOf } from '../../bots/assess-visitor.ts'
import type { VisitorProfile } from '../../bots/visitor-profiles.ts'
import type { ConsumerContext } from '../../context.ts'
import { requestLimits } from '../../limits/request-limits.ts'
import { COOKIE_NAME, type GuestSession } from '../../sessions/guest-session.ts'
import { derivedGuestSession } from '../../sessions/new-guest-session.ts'

/** Who sends a request that has passed the checks of its scope. */
export interface FastGuest {
  readonly client: ClientInfo
  readonly guest: GuestSession | undefined
  /** Of the limits; a document for everybody does not show it. */
  readonly decision: LimitDecision
}

/** The headers that every response for one guest has. */
export function announceGuestLimit(request: FastRequest, { decision }: FastGuest): void {
  addRateLimitHeaders(request.head, decision)
}

/**
 * The checks of the scopes `open` and `guarded` as far as they need no promise: session, limits,
 * and for `guarded` bot detection. Undefined where Fastify's hooks have to decide.
 */
export type AdmitGuest = (request: FastRequest, scope: 'open' | 'guarded') => FastGuest | undefined

export function createAdmission(ctx: ConsumerContext): AdmitGuest {
  const { bots, config } = ctx
  const limitsOf = memoizeLimits(ctx)
  const profileOf = memoizeProfiles(ctx)
  return (request, scope) => {
    const client = readClientInfo(request)
    const found = findSession(ctx, request, client)
    if (found === undefined) return undefined
    const { guest } = found
    const profile = profileOf(client, guest)
    const isGuarded = scope === 'guarded' && config.botCheck !== 'off'
    if (isGuarded && assessmentOf(bots, profile, profile.requests + 1) !== 'human') return undefined
    const decision = checkLimitsNow(limitsOf(profile), request.startedMs)
    if (decision === null) return undefined
    request.limit = decision
    if (!decision.allowed) return undefined
    if (isGuarded) profile.requests += 1
    request.isCounted = isGuarded
    return { client, guest, decision }
  }
}

/** Without a cookie there is no session; undefined while the session has to be read. */
function findSession(
  ctx: ConsumerContext,
  { headers }: FastRequest,
  client: ClientInfo,
): { readonly guest: GuestSession | undefined } | undefined {
  const value = readCookie(headers.cookie, COOKIE_NAME)
  if (value === undefined) return { guest: undefined }
  const { userAgent, acceptLanguage, country, declinesTelemetry } = client
  const guest = ctx.sessions.loadNow({
    value,
    initialData: (id) => derivedGuestSession(id, client, ctx),
    initialFrom: [userAgent, acceptLanguage, country, declinesTelemetry],
  })
  return guest === null ? undefined : { guest }
}

/** How often a profile is looked up again, so that it counts as used. */
const LOOKED_UP_EVERY = 16

/** The profile of a session, as long as it is used by the same client. */
function memoizeProfiles({ bots }: ConsumerContext) {
  const known = new WeakMap<GuestSession, VisitorProfile>()
  return (client: ClientInfo, guest: GuestSession | undefined): VisitorProfile => {
    const seen = guest && known.get(guest)
    const isUsable = seen !== undefined && seen.requests % LOOKED_UP_EVERY !== 0
    if (isUsable && isSameClient(seen, client)) return seen
    const { address, userAgent, acceptLanguage } = client
    const profile = bots.profiles.of({ address, userAgent, acceptLanguage, session: guest })
    if (guest !== undefined) known.set(guest, profile)
    return profile
  }
}

function isSameClient(profile: VisitorProfile, client: ClientInfo): boolean {
  return (
    profile.address === client.address &&
    profile.userAgent === client.userAgent &&
    profile.acceptLanguage === client.acceptLanguage
  )
}

/** The limits of reads are the same for every request of a visitor. */
function memoizeLimits(ctx: ConsumerContext): (profile: VisitorProfile) => RequestLimits {
  const known = new WeakMap<VisitorProfile, RequestLimits>()
  return (profile) => {
    const made = known.get(profile)
    if (made !== undefined) return made
    const limits = holdLimits(requestLimits(ctx, profile, 'read'))
    known.set(profile, limits)
    return limits
  }
}
