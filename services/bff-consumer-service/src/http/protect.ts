import { addHeader, type LimitHook, type SessionHook } from '@melmastoon/chassis/http'
import { type LimitDecision, rateLimitHeaders } from '@melmastoon/chassis/limits'
import type { Problem } from '@melmastoon/domain'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { answerChallenge, suspectedBot } from '../bots/answer-challenge.ts'
import { type Glance, glanceAt, judgeVisit, mustBeAsked } from '../bots/judge-visit.ts'
import type { Sighting } from '../bots/sighting.ts'
import { boundVisitor, type Standing } from '../bots/standing.ts'
import type { ConsumerContext } from '../context.ts'
import { limitNow, limitRefusal, limitVisit, type Traffic } from '../limits/limit-visit.ts'
import type { GuestSessionData } from '../sessions/guest-session.ts'
import { eventCause } from './event-cause.ts'
import { readVisit } from './read-visit.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What the route counts as; otherwise by its method: GET reads, all others change. */
    traffic?: Traffic
  }
}

/** `onRequest` hooks, after the session's. */
export interface Protection {
  /** Limits alone. */
  readonly limited: LimitHook
  /** Limits, and whoever seems to be a program has to show that she is none. */
  readonly guarded: LimitHook
}

const TOKEN_HEADER = 'x-recaptcha-token'

interface Arrival {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly standing: Standing
  readonly traffic: Traffic
}

/** A known guest who is within her limits passes without a promise. */
export function createProtection(
  ctx: ConsumerContext,
  session: SessionHook<GuestSessionData, 'gms'>,
): Protection {
  const meet = (request: FastifyRequest, reply: FastifyReply): Arrival => {
    const lookup = session.lookupOf(request)
    const { headers, ip: address } = request
    const visitor = boundVisitor({
      address,
      userAgent: headers['user-agent'] ?? '',
      acceptLanguage: headers['accept-language'],
      session: lookup.kind === 'found' ? lookup.session : undefined,
    })
    return { request, reply, standing: ctx.bots.standings.of(visitor), traffic: countsAs(request) }
  }

  return {
    limited(request, reply, done) {
      const { standing, traffic } = meet(request, reply)
      const decision = limitNow(ctx, standing, traffic)
      if (decision !== null) done(announce(reply, decision))
      else limitVisit(ctx, standing, traffic).then((late) => done(announce(reply, late)), done)
    },

    guarded(request, reply, done) {
      const arrival = meet(request, reply)
      const decision = limitNow(ctx, arrival.standing, arrival.traffic)
      const glance = glanceAt(ctx.bots, arrival.standing)
      const isKnown = glance === 'human' || glance === 'recheck'
      if (decision !== null && (isKnown || !decision.allowed)) {
        if (glance === 'recheck') judgeBehind(ctx, arrival)
        done(announce(reply, decision))
        return
      }
      admit(ctx, arrival, { decision, glance }).then(() => done(), done)
    },
  }
}

interface Known {
  readonly decision: LimitDecision | null
  readonly glance: Glance
}

async function admit(ctx: ConsumerContext, arrival: Arrival, known: Known): Promise<void> {
  const { standing, reply, request, traffic } = arrival
  const { glance } = known
  const judged = glance === 'unknown' ? judgeVisit(ctx, standing, sight(ctx, request)) : undefined
  const decision = known.decision ?? (await limitVisit(ctx, standing, traffic))
  const refusal = announce(reply, decision)
  if (refusal !== undefined) throw refusal
  await judged
  if (glance === 'recheck') judgeBehind(ctx, arrival)
  if (await mustBeAsked(ctx.bots, standing, glance)) await challenge(ctx, arrival)
}

async function challenge(ctx: ConsumerContext, arrival: Arrival): Promise<void> {
  const { standing, request, traffic } = arrival
  const action = (request.routeOptions.config.operation ?? 'visit').replaceAll('.', '_')
  const token = request.headers[TOKEN_HEADER]
  if (typeof token !== 'string' || token === '') throw suspectedBot(ctx, standing, action)
  const { address, userAgent } = standing
  const { deadline } = request
  const changes = traffic !== 'read'
  await answerChallenge(ctx, standing, { token, action, address, userAgent, deadline, changes })
}

function judgeBehind(ctx: ConsumerContext, { standing, request }: Arrival): void {
  const sighting = sight(ctx, request)
  ctx.background.run(`judge ${standing.guest}`, () => judgeVisit(ctx, standing, sighting))
}

function sight(ctx: ConsumerContext, request: FastifyRequest): Sighting {
  const { headers, raw } = request
  const isDirect = ctx.config.trustProxyHops === 0
  const userAgent = headers['user-agent'] ?? ''
  const traits = { userAgent, headers, httpVersion: raw.httpVersion, isDirect }
  const lookup = request.sessionLookup
  if (lookup.kind !== 'found') return { traits, witnessed: undefined }
  const session = lookup.session as Witnessing
  const cause = () => eventCause(ctx, request)
  return { traits, witnessed: { session, visit: readVisit(request), cause } }
}

type Witnessing = NonNullable<Sighting['witnessed']>['session']

function countsAs({ method, state }: FastifyRequest): Traffic {
  const { traffic } = state.config
  return traffic ?? (method === 'GET' || method === 'HEAD' ? 'read' : 'change')
}

function announce(reply: FastifyReply, decision: LimitDecision): Problem | undefined {
  const refusal = limitRefusal(decision)
  if (refusal !== undefined) return refusal
  const headers = rateLimitHeaders(decision)
  for (const name in headers) addHeader(reply, name, headers[name] ?? '')
  return undefined
}
