import { type ClientInfo, readClientInfo } from '@melmastoon/bff/guests'
import { type FastRequest, readCookie } from '@melmastoon/chassis/http'
import {
  addRateLimitHeaders,
  checkLimitsNow,
  holdLimits,
  type RequestLimits,
} from '@melmastoon/chassis/limits'
import type { TenantId } from '@melmastoon/domain'
import { LRUCache } from 'lru-cache'
import type { BookingContext } from '../../context.ts'
import { requestLimits } from '../../limits/request-limits.ts'
import type { BookingSession } from '../../sessions/booking-session.ts'
import { derivedBookingSession } from '../../sessions/new-booking-session.ts'
import { sessionCookieName } from '../../sessions/session-cookie-name.ts'
import type { Site } from '../../site/site.ts'
import { newGuestOf } from '../request-guest.ts'
import { checkSiteHeaders, createAddressReader } from '../request-site.ts'

/** Who sends a request to which site, after the checks that every route of a site has. */
export interface FastGuest {
  readonly site: Site
  readonly client: ClientInfo
  readonly session: BookingSession | undefined
}

/**
 * The hooks of a site as far as they need no promise: site, headers, session, limits. Undefined, or
 * an error, where Fastify's hooks have to decide.
 */
export type AdmitGuest = (request: FastRequest) => FastGuest | undefined

export function createAdmission(ctx: BookingContext): AdmitGuest {
  const addressOf = createAddressReader(ctx.config)
  const limitsOf = memoizeLimits(ctx)
  return (request) => {
    const { raw, input, headers } = request
    const site = ctx.sites.peek(addressOf({ raw, params: input.params }))
    if (site === undefined || site.isSuspended) return undefined
    checkSiteHeaders(headers, site)
    const client = readClientInfo(request)
    const found = findSession(ctx, request, { site, client })
    if (found === undefined) return undefined
    const { session } = found
    const { tenantId } = site
    const limits = limitsOf({ tenantId, address: request.ip, sessionId: session?.id })
    const decision = checkLimitsNow(limits, request.startedMs)
    if (decision === null) return undefined
    request.limit = decision
    if (!decision.allowed) return undefined
    addRateLimitHeaders(request.head, decision)
    return { site, client, session }
  }
}

/** Without a cookie there is no session; undefined while the session has to be read. */
function findSession(
  ctx: BookingContext,
  request: FastRequest,
  { site, client }: Pick<FastGuest, 'site' | 'client'>,
): Pick<FastGuest, 'session'> | undefined {
  const value = readCookie(request.headers.cookie, sessionCookieName(site))
  if (value === undefined) return { session: undefined }
  const { tenantId } = site
  const { address, userAgent, acceptLanguage, declinesTelemetry } = client
  const surface = request.headers['x-client-surface']
  const session = ctx.sessions.loadNow({
    value,
    tenantId,
    initialData: (id) => derivedBookingSession(id, newGuestOf(request, site), ctx),
    initialFrom: [site, address, userAgent, acceptLanguage, declinesTelemetry, surface],
  })
  return session === null ? undefined : { session }
}

interface Reader {
  readonly tenantId: TenantId
  readonly address: string
  readonly sessionId: string | undefined
}

const READERS_MAX = 20_000

/** The limits of reads are the same for every request of a guest, except during a flash sale. */
function memoizeLimits(ctx: BookingContext): (reader: Reader) => RequestLimits {
  const known = new LRUCache<string, RequestLimits>({ max: READERS_MAX })
  return ({ tenantId, address, sessionId }) => {
    const key = `${ctx.flags.isFlashSale(tenantId)} ${tenantId} ${sessionId} ${address}`
    const seen = known.get(key)
    if (seen !== undefined) return seen
    const client = { tenantId, sessionId, addressHash: ctx.clientHashes.hashAddress(address) }
    const limits = holdLimits(requestLimits(ctx, client, 'read'))
    known.set(key, limits)
    return limits
  }
}
