import type { Problem } from '@melmastoon/domain'
import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  addRateLimitHeaders,
  checkLimits,
  checkLimitsNow,
  type LimitDecision,
  limitProblem,
  type RequestLimits,
} from '../limits/index.ts'
import { decidedFor } from './fast-path/fast-request.ts'

export type LimitHook = (
  request: FastifyRequest,
  reply: FastifyReply,
  done: (error?: Error) => void,
) => void

/**
 * An `onRequest` hook, after the session's. A request whose limits this process knows passes
 * without a promise.
 */
export function createLimitHook(limitsOf: (request: FastifyRequest) => RequestLimits): LimitHook {
  return (request, reply, done) => {
    const limits = limitsOf(request)
    const known = limitTaken(request) ?? checkLimitsNow(limits)
    if (known !== null) done(announceLimit(reply, known))
    else checkLimits(limits).then((late) => done(announceLimit(reply, late)), done)
  }
}

/** The decision of a limit that has counted this request already, in the fast path. */
export function limitTaken(request: FastifyRequest): LimitDecision | undefined {
  return decidedFor(request.raw)?.limit
}

/** Writes the RateLimit headers of an allowed request; returns the problem of a rejected one. */
export function announceLimit(reply: FastifyReply, decision: LimitDecision): Problem | undefined {
  const rejected = limitProblem(decision)
  if (rejected !== undefined) return rejected
  addRateLimitHeaders(reply.request.state.head, decision)
  return undefined
}
