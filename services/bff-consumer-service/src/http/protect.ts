import { readClientInfo } from '@melmastoon/bff/guests'
import {
  announceLimit,
  createLimitHook,
  decidedFor,
  eventCause,
  type LimitHook,
  limitTaken,
  type SessionHook,
} from '@melmastoon/chassis/http'
import {
  checkLimits,
  checkLimitsNow,
  type LimitDecision,
  type RequestLimits,
} from '@melmastoon/chassis/limits'
import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  type AssessmentState,
  assessmentOf,
  assessVisitor,
  type BotCheckInput,
  cachedAssessment,
  needsChallenge,
  type Suspicion,
} from '../bots/assess-visitor.ts'
import { suspectedBot, verifyChallenge } from '../bots/challenge.ts'
import type { VisitorProfile } from '../bots/visitor-profiles.ts'
import type { StoredVisitor } from '../bots/visitor-store.ts'
import type { ConsumerContext } from '../context.ts'
import { type LimitClass, requestLimits } from '../limits/request-limits.ts'
import type { GuestSession, GuestSessionData } from '../sessions/guest-session.ts'
import { reportSuspicion } from '../telemetry/report-suspicion.ts'
import { clientOf, type EarlyVisits } from './early-visits.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The limit this route counts towards; by default GET is a read, any other method a change. */
    limitClass?: LimitClass
  }
}

/** `onRequest` hooks, after the session's. */
export interface Protection {
  /** Rate limits only. */
  readonly limited: LimitHook
  /** Rate limits, and a challenge for visitors that are suspected to be bots. */
  readonly guarded: LimitHook
}

const TOKEN_HEADER = 'x-recaptcha-token'

interface ProtectedRequest {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly guest: GuestSession | undefined
  readonly profile: VisitorProfile
  readonly limits: RequestLimits
  readonly early: Promise<StoredVisitor> | undefined
  /** Counted in Redis while the session was read, also when `early` cannot be used. */
  readonly isCountedEarly: boolean
}

/** A request of a known visitor within its limits passes without a promise. */
export function createProtection(
  ctx: ConsumerContext,
  session: SessionHook<GuestSessionData, 'gms'>,
  earlyVisits: EarlyVisits,
): Protection {
  const identify = (request: FastifyRequest) => {
    const lookup = session.lookupOf(request)
    const guest = lookup.kind === 'found' ? lookup.session : undefined
    const profile = ctx.bots.profiles.of({ ...clientOf(request), session: guest })
    return { guest, profile, limits: requestLimits(ctx, profile, limitClassOf(request)) }
  }

  const limited = createLimitHook((request) => identify(request).limits)
  if (ctx.config.botCheck === 'off') return { limited, guarded: limited }

  const assessed: LimitHook = (request, reply, done) => {
    const { guest, profile, limits } = identify(request)
    // What was read of a session whose record cannot be read says nothing about its device.
    const early = guest && earlyVisits.of(request)
    const isCountedEarly = earlyVisits.hasCounted(request)
    const protectedRequest = { request, reply, guest, profile, limits, early, isCountedEarly }
    const decision = limitTaken(request) ?? checkLimitsNow(limits)
    const state = countRequest(ctx, protectedRequest)
    const isHuman = state === 'human' || state === 'recheck'
    if (decision !== null && (isHuman || !decision.allowed)) {
      if (state === 'recheck') assessInBackground(ctx, protectedRequest)
      done(announceLimit(reply, decision))
      return
    }
    guard(ctx, protectedRequest, { decision, state }).then(() => done(), done)
  }

  return {
    limited,

    guarded(request, reply, done) {
      const lookup = session.lookupOf(request)
      earlyVisits.onSessionRead(request, lookup)
      const isEnded = lookup.kind === 'none'
      if (!isEnded || earlyVisits.of(request) === undefined) return assessed(request, reply, done)
      earlyVisits.discard(request).then(() => assessed(request, reply, done), done)
    },
  }
}

/** The fast path may have counted it, or its history was read with its session. */
function countRequest(
  { bots }: ConsumerContext,
  { request, profile, isCountedEarly }: ProtectedRequest,
): AssessmentState {
  const isCounted = isCountedEarly || decidedFor(request.raw)?.isCounted
  return isCounted ? assessmentOf(bots, profile, profile.requests) : cachedAssessment(bots, profile)
}

interface KnownState {
  readonly decision: LimitDecision | null
  readonly state: AssessmentState
}

async function guard(
  ctx: ConsumerContext,
  protectedRequest: ProtectedRequest,
  { decision, state }: KnownState,
): Promise<void> {
  const { profile, reply, limits } = protectedRequest
  const input = state === 'unknown' ? botCheckInput(ctx, protectedRequest) : undefined
  const assessed = input && assessVisitor(ctx, profile, input)
  const rejected = announceLimit(reply, decision ?? (await checkLimits(limits)))
  if (rejected !== undefined) throw rejected
  await assessed
  if (state === 'recheck') assessInBackground(ctx, protectedRequest)
  if (await needsChallenge(ctx.bots, profile, state)) await challenge(ctx, protectedRequest)
}

async function challenge(
  ctx: ConsumerContext,
  { profile, request }: ProtectedRequest,
): Promise<void> {
  const action = (request.routeOptions.config.operation ?? 'client').replaceAll('.', '_')
  const token = request.headers[TOKEN_HEADER]
  if (typeof token !== 'string' || token === '') throw suspectedBot(ctx, profile, action)
  const { address, userAgent } = profile
  const { deadline } = request
  const changes = limitClassOf(request) !== 'read'
  await verifyChallenge(ctx, profile, { token, action, address, userAgent, deadline, changes })
}

function assessInBackground(ctx: ConsumerContext, protectedRequest: ProtectedRequest): void {
  const { profile } = protectedRequest
  const input = botCheckInput(ctx, protectedRequest)
  ctx.background.run(`assess ${profile.visitorId}`, () => assessVisitor(ctx, profile, input))
}

function botCheckInput(
  ctx: ConsumerContext,
  { request, guest, early, isCountedEarly }: ProtectedRequest,
): BotCheckInput {
  const { headers, raw } = request
  const isDirect = ctx.config.trustProxyHops === 0
  const userAgent = headers['user-agent'] ?? ''
  const traits = { userAgent, headers, httpVersion: raw.httpVersion, isDirect }
  if (guest === undefined) return { traits, onSuspected: undefined, isCountedEarly }
  const actor = {
    session: guest,
    client: readClientInfo(request),
    cause: () => eventCause(ctx, request),
  }
  const onSuspected = (suspicion: Suspicion) => reportSuspicion(ctx, actor, suspicion)
  return { traits, onSuspected, early, isCountedEarly }
}

export function limitClassOf({ method, state }: FastifyRequest): LimitClass {
  const { limitClass } = state.config
  return limitClass ?? (method === 'GET' || method === 'HEAD' ? 'read' : 'change')
}
